// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.handler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.partition.HashRange;
import dev.anemone.ir.property.DataStore;
import dev.anemone.runtime.record.ByteSink;
import dev.anemone.runtime.record.RecordWriter;
import dev.anemone.runtime.shuffle.format.Producer;
import dev.anemone.runtime.stage.Transfer;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockReader;
import dev.anemone.runtime.store.BlockStore;
import dev.anemone.runtime.store.ReadStatistics;
import dev.anemone.runtime.store.file.LocalFileStore;
import dev.anemone.runtime.transfer.BlockLinks;
import dev.anemone.runtime.transfer.DataPlane;
import dev.anemone.runtime.transfer.PushTargets;
import dev.anemone.runtime.transfer.RemoteBlocks;
import dev.anemone.runtime.transfer.TestLinks;
import dev.anemone.runtime.transfer.announcement.BlockAnnouncement;
import dev.anemone.runtime.transfer.announcement.BlockLocation;
import dev.anemone.runtime.transfer.announcement.InputEvent;
import dev.anemone.runtime.transfer.announcement.LinkSources;
import dev.anemone.runtime.transfer.announcement.Loss;
import dev.anemone.runtime.transfer.announcement.ProducerClasses;
import dev.anemone.runtime.transfer.announcement.Source;
import dev.anemone.runtime.transfer.announcement.SourceFeed;
import dev.anemone.runtime.transfer.fetch.FetchSettings;
import dev.anemone.runtime.transfer.fetch.HostLedger;
import dev.anemone.testing.SilentServer;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A reader that wants blocks of a host which drops packets, and others of one that is well. */
@Timeout(60)
class DeadHostTest {

  private static final int DEAD = 200;
  private static final int HEALTHY = 3;

  /** A try takes the first of these times; the host is given up after the third. */
  private static final FetchSettings SETTINGS =
      new FetchSettings(
          Duration.ofMillis(300),
          Duration.ofSeconds(5),
          Duration.ofSeconds(1),
          Duration.ofMinutes(5));

  @TempDir Path disks;
  @TempDir Path scratch;

  private final BlockingQueue<Report> lost = new LinkedBlockingQueue<>();
  private final List<BlockId> tried = new CopyOnWriteArrayList<>();
  private final SourceFeed feed =
      new SourceFeed((source, version, loss, reason) -> lost.add(new Report(source, loss)));
  private TestLinks links;

  private record Report(Source source, Loss loss) {}

  @BeforeEach
  void plan() {
    links =
        TestLinks.of(
            Transfer.GROUPED, 1, List.of(List.of(new HashRange(0, 1))), List.of(), scratch);
  }

  @Test
  void whatLiesThereIsReportedInTheTimeForOneHost() throws Exception {
    try (SilentServer silent = new SilentServer(InetAddress.getLoopbackAddress(), 0);
        TestNode node = TestNode.start(disks);
        ShuffleHandlerBlocks remote = node.seenFromAfar(new LocalFileStore(scratch), SETTINGS)) {
      for (int i = 0; i < DEAD; i++) {
        announce(i, 0, onDeadHost(i, location(silent)));
      }
      for (int i = DEAD; i < DEAD + HEALTHY; i++) {
        announce(i, 0, write(i, node));
      }
      FutureTask<Void> reading = new FutureTask<>(() -> read(remote));
      Thread thread = new Thread(reading, "reader");
      thread.start();
      try {
        Set<Source> reported = new HashSet<>();
        for (int i = 0; i < DEAD; i++) {
          Report report = lost.poll(10, TimeUnit.SECONDS);
          assertThat(report).as("report %s", i).isNotNull();
          assertThat(report.loss()).isEqualTo(Loss.UNREACHABLE);
          reported.add(report.source());
        }
        assertThat(reported).hasSize(DEAD);
        assertThat(tried).as("tries of all %s", DEAD).hasSizeLessThan(HEALTHY + 8);
        assertThat(tried)
            .as("healthy ones are read once")
            .filteredOn(id -> Integer.parseInt(id.path().substring(2)) >= DEAD)
            .hasSize(HEALTHY)
            .doesNotHaveDuplicates();
        // Their producers run again, on the healthy host.
        for (int i = 0; i < DEAD; i++) {
          feed.add(new InputEvent.Withdrawn(new Source("p", i), 0));
          announce(i, 1, write(i, node));
        }
        reading.get(20, TimeUnit.SECONDS);
      } finally {
        thread.interrupt();
        thread.join();
      }
    }
  }

  @Test
  void aHostThatDropsPacketsDoesNotHoldOthersBack() throws Exception {
    FetchSettings slow =
        new FetchSettings(
            Duration.ofSeconds(40),
            Duration.ofSeconds(40),
            Duration.ofMinutes(5),
            Duration.ofMinutes(5));
    try (SilentServer silent = new SilentServer(InetAddress.getLoopbackAddress(), 0);
        TestNode node = TestNode.start(disks);
        ShuffleHandlerBlocks remote = node.seenFromAfar(new LocalFileStore(scratch), slow)) {
      for (int i = 0; i < DEAD; i++) {
        announce(i, 0, onDeadHost(i, location(silent)));
      }
      for (int i = DEAD; i < DEAD + HEALTHY; i++) {
        announce(i, 0, write(i, node));
      }
      FutureTask<Void> reading = new FutureTask<>(() -> read(remote));
      Thread thread = new Thread(reading, "reader");
      long begin = System.nanoTime();
      thread.start();
      try {
        while (tried.size() < 1 + HEALTHY) {
          assertThat(reading.isDone()).isFalse();
          Thread.onSpinWait();
        }
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(slow.connectTimeout());
        assertThat(tried)
            .filteredOn(id -> Integer.parseInt(id.path().substring(2)) >= DEAD)
            .hasSize(HEALTHY);
      } finally {
        thread.interrupt();
        thread.join();
      }
    }
  }

  private void announce(int index, int version, BlockAnnouncement announcement) {
    feed.add(new InputEvent.Announced(new Source("p", index), version, announcement));
  }

  private Void read(RemoteBlocks remote) throws Exception {
    RemoteBlocks noted =
        new RemoteBlocksOf(
            (location, id, wanted, statistics) -> {
              tried.add(id);
              return remote.fetch(location, id, wanted, statistics);
            },
            remote);
    DataPlane plane =
        plane(
            new LocalFileStore(scratch),
            new DataPlane.Cluster(new BlockLocation("here", 1), noted, new HostLedger(SETTINGS)));
    try (BlockLinks reading =
        new BlockLinks(
            links.reading(0),
            plane,
            Map.of(
                links.link().peer(), new LinkSources(DEAD + HEALTHY, feed, new BlockId("reader"))),
            Map.of(),
            new PushTargets())) {
      reading.groupReader(links.link().peer(), Map.of());
      return null;
    }
  }

  /** Fetches in one way, and reaches nodes in another. */
  private record RemoteBlocksOf(RemoteBlocks fetching, RemoteBlocks reaching)
      implements RemoteBlocks {

    @Override
    public BlockReader fetch(
        BlockLocation location, BlockId id, BitSet wanted, ReadStatistics statistics)
        throws IOException {
      return fetching.fetch(location, id, wanted, statistics);
    }

    @Override
    public boolean reaches(BlockLocation location) {
      return reaching.reaches(location);
    }
  }

  private BlockAnnouncement write(int index, TestNode node) throws Exception {
    DataPlane plane =
        plane(
            node.blocks(),
            new DataPlane.Cluster(
                node.location(),
                (location, id, wanted, statistics) -> {
                  throw new IllegalStateException("producers fetch nothing");
                },
                new HostLedger(SETTINGS)));
    String peer = links.producer().outputs().get(0).peer();
    try (BlockLinks writing =
        new BlockLinks(
            links.writing(index), plane, Map.of(), Map.of(peer, id(index)), new PushTargets())) {
      RecordWriter writer = writing.writer(peer, Map.of());
      ByteSink bytes = new ByteSink();
      bytes.write(0);
      bytes.write(index);
      writer.write(bytes, bytes);
      return writing.finish().get(peer);
    }
  }

  private static BlockId id(int index) {
    return new BlockId("p_" + index);
  }

  private DataPlane plane(BlockStore store, DataPlane.Cluster cluster) {
    DataPlane plane = links.plane();
    return new DataPlane(
        plane.memory(),
        plane.shares(),
        Map.of(DataStore.LOCAL_FILE, store),
        plane.pushInterface(),
        plane.pushWires(),
        Optional.of(cluster));
  }

  private static BlockAnnouncement onDeadHost(int index, BlockLocation location) {
    BitSet filled = new BitSet();
    filled.set(0);
    return new BlockAnnouncement(
        new Producer(index, 0),
        Optional.of(id(index)),
        DataStore.LOCAL_FILE,
        Optional.of(location),
        filled,
        true,
        true,
        List.of(),
        List.of(),
        ProducerClasses.NONE,
        0);
  }

  private static BlockLocation location(SilentServer silent) {
    return new BlockLocation(silent.address().getHostString(), silent.address().getPort());
  }
}
