// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ir.partition.HashRange;
import dev.anemone.ir.property.DataStore;
import dev.anemone.runtime.clock.TaskClock;
import dev.anemone.runtime.record.ByteSink;
import dev.anemone.runtime.shuffle.format.Codec;
import dev.anemone.runtime.shuffle.merge.WriterSettings;
import dev.anemone.runtime.stage.Transfer;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockReader;
import dev.anemone.runtime.store.ReadStatistics;
import dev.anemone.runtime.transfer.announcement.BlockAnnouncement;
import dev.anemone.runtime.transfer.announcement.BlockLocation;
import dev.anemone.runtime.transfer.announcement.InputEvent;
import dev.anemone.runtime.transfer.announcement.ProducerClasses;
import dev.anemone.runtime.transfer.announcement.Source;
import dev.anemone.runtime.transfer.announcement.SourceFeed;
import dev.anemone.runtime.transfer.fetch.ConsumerFaultException;
import dev.anemone.runtime.transfer.fetch.FetchSettings;
import dev.anemone.runtime.transfer.fetch.HostFailureException;
import dev.anemone.runtime.transfer.fetch.HostLedger;
import java.net.SocketException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An aggregation that fetches what producers could not push. */
@Timeout(20)
class AggregationFetchTest {

  private static final int PRODUCERS = 3;
  private static final int WRITER_PAGES = 8;
  private static final BlockId AGGREGATED = new BlockId("aggregated");
  private static final FetchSettings QUICK =
      new FetchSettings(
          Duration.ofSeconds(1),
          Duration.ofSeconds(1),
          Duration.ofMillis(600),
          Duration.ofMillis(10));

  @TempDir Path directory;

  private final List<Source> lost = new ArrayList<>();
  private final SourceFeed feed =
      new SourceFeed((source, version, loss, reason) -> lost.add(source));
  private final List<BlockAnnouncement> written = new ArrayList<>();
  private TestLinks links;
  private long storedBytes;

  @BeforeEach
  void write() throws Exception {
    links =
        TestLinks.of(
            Transfer.GROUPED, 1, List.of(List.of(new HashRange(0, 1))), List.of(), directory);
    for (int producer = 0; producer < PRODUCERS; producer++) {
      written.add(write(producer));
    }
  }

  /** Announces the block of each producer, on a host of its own, which has kept what it pushed. */
  private void announce(List<BlockAnnouncement.Pushed> pushed) {
    for (int producer = 0; producer < PRODUCERS; producer++) {
      feed.add(
          new InputEvent.Announced(
              new Source("producer", producer),
              0,
              new BlockAnnouncement(
                  written.get(producer).producer(),
                  written.get(producer).block(),
                  DataStore.LOCAL_FILE,
                  Optional.of(new BlockLocation("host" + producer, 1)),
                  written.get(producer).partitions(),
                  true,
                  true,
                  pushed,
                  List.of(),
                  ProducerClasses.NONE,
                  written.get(producer).digest())));
    }
  }

  private BlockAnnouncement write(int producer) throws Exception {
    BlockId id = new BlockId("producer_" + producer);
    try (PullWriter writer =
        new PullWriter(
            Partitioning.of(links.link(), 0),
            new WriterSettings(1, true, Codec.LZ4, links.writing(producer).producer(), null),
            links.memory(WRITER_PAGES),
            links.plane(),
            DataStore.LOCAL_FILE,
            links.plane().localFiles(),
            id,
            new TaskClock())) {
      ByteSink bytes = new ByteSink();
      bytes.write(0);
      bytes.write(producer);
      writer.write(bytes, bytes);
      BlockAnnouncement announcement = writer.finish();
      try (BlockReader block = links.plane().localFiles().open(id, new ReadStatistics())) {
        storedBytes += block.index().storedBytes();
      }
      return announcement;
    }
  }

  private Aggregation aggregation(RemoteBlocks remote) throws Exception {
    DataPlane plane = links.plane();
    return Aggregation.open(
        links.reading(0),
        new DataPlane(
            plane.memory(),
            plane.shares(),
            plane.stores(),
            plane.pushInterface(),
            plane.pushWires(),
            Optional.of(
                new DataPlane.Cluster(
                    new BlockLocation("here", 1), remote, new HostLedger(QUICK)))),
        Map.of("producer", PRODUCERS),
        feed,
        AGGREGATED);
  }

  @Test
  void aBlockWhoseHostFailsComesAgainAndIsTakenOnce() throws Exception {
    AtomicInteger tries = new AtomicInteger();
    announce(List.of());
    try (Aggregation aggregation =
        aggregation(
            (location, id, wanted, statistics) -> {
              if (location.host().equals("host1") && tries.incrementAndGet() < 3) {
                throw new HostFailureException(location + " is away", false, null);
              }
              return links.plane().localFiles().open(id, statistics);
            })) {
      aggregation.run();
    }
    assertThat(tries).hasValue(3);
    assertThat(lost).isEmpty();
    try (BlockReader block = links.plane().localFiles().open(AGGREGATED, new ReadStatistics())) {
      assertThat(block.index().storedBytes()).isEqualTo(storedBytes);
    }
  }

  @Test
  void whatWentToAnotherAttemptIsReadWhereItsProducerHasKeptIt() throws Exception {
    announce(List.of(new BlockAnnouncement.Pushed(0, 7, BitSet.valueOf(new long[] {1}))));
    try (Aggregation aggregation =
        aggregation((location, id, wanted, stats) -> links.plane().localFiles().open(id, stats))) {
      aggregation.run();
    }
    assertThat(lost).isEmpty();
    try (BlockReader block = links.plane().localFiles().open(AGGREGATED, new ReadStatistics())) {
      assertThat(block.index().storedBytes()).isEqualTo(storedBytes);
    }
  }

  @Test
  void itFailsItselfWhenItLacksFileDescriptors() throws Exception {
    announce(List.of());
    try (Aggregation aggregation =
        aggregation(
            (location, id, wanted, statistics) -> {
              throw new SocketException("Too many open files");
            })) {
      assertThatThrownBy(aggregation::run).isInstanceOf(ConsumerFaultException.class);
    }
    assertThat(lost).isEmpty();
  }
}
