// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ir.partition.HashRange;
import dev.anemone.ir.property.DataStore;
import dev.anemone.runtime.clock.TaskClock;
import dev.anemone.runtime.shuffle.format.Producer;
import dev.anemone.runtime.stage.Transfer;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.transfer.announcement.BlockAnnouncement;
import dev.anemone.runtime.transfer.announcement.BlockLocation;
import dev.anemone.runtime.transfer.announcement.InputEvent;
import dev.anemone.runtime.transfer.announcement.LinkSources;
import dev.anemone.runtime.transfer.announcement.Loss;
import dev.anemone.runtime.transfer.announcement.ProducerClasses;
import dev.anemone.runtime.transfer.announcement.Source;
import dev.anemone.runtime.transfer.announcement.SourceFeed;
import dev.anemone.runtime.transfer.fetch.ConsumerFaultException;
import dev.anemone.runtime.transfer.fetch.FetchSettings;
import dev.anemone.runtime.transfer.fetch.HostFailureException;
import dev.anemone.runtime.transfer.fetch.HostLedger;
import java.io.IOException;
import java.net.BindException;
import java.net.SocketException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A consumer whose own faults must not be laid at its producers' door. */
@Timeout(20)
class SickConsumerTest {

  private static final int PRODUCERS = 6;
  private static final BlockLocation HERE = new BlockLocation("here", 1);
  private static final FetchSettings SETTINGS =
      new FetchSettings(
          Duration.ofSeconds(1),
          Duration.ofSeconds(1),
          Duration.ofMillis(200),
          Duration.ofMinutes(5));

  @TempDir Path directory;

  private final List<Report> lost = new ArrayList<>();
  private final SourceFeed feed =
      new SourceFeed(
          (source, version, loss, reason) -> {
            lost.add(new Report(source, loss));
            if (lost.size() == PRODUCERS) {
              Thread.currentThread().interrupt();
            }
          });

  private record Report(Source source, Loss loss) {}

  /** A reader of one block from each of several hosts. */
  private MergedLink reader(RemoteBlocks remote) throws Exception {
    TestLinks links =
        TestLinks.of(
            Transfer.GROUPED, 1, List.of(List.of(new HashRange(0, 1))), List.of(), directory);
    DataPlane plane = links.plane();
    for (int producer = 0; producer < PRODUCERS; producer++) {
      feed.add(
          new InputEvent.Announced(new Source("producer", producer), 0, announcement(producer)));
    }
    return new MergedLink(
        links.reading(0),
        links.link(),
        new LinkSources(PRODUCERS, feed, new BlockId("reader")),
        new DataPlane(
            plane.memory(),
            plane.shares(),
            plane.stores(),
            plane.pushInterface(),
            plane.pushWires(),
            Optional.of(new DataPlane.Cluster(HERE, remote, new HostLedger(SETTINGS)))),
        links.memory(3),
        Map.of(),
        new TaskClock());
  }

  private static BlockAnnouncement announcement(int producer) {
    BitSet filled = new BitSet();
    filled.set(0);
    return new BlockAnnouncement(
        new Producer(producer, 0),
        Optional.of(new BlockId("producer_" + producer)),
        DataStore.LOCAL_FILE,
        Optional.of(new BlockLocation("host" + producer, 1)),
        filled,
        true,
        true,
        List.of(),
        List.of(),
        ProducerClasses.NONE,
        0);
  }

  static Stream<IOException> lacks() {
    return Stream.of(
        new SocketException("Too many open files"),
        new BindException("Cannot assign requested address"),
        new FileSystemException("/disk/file.out", null, "Too many open files in system"),
        new IOException("the index cannot be read", new IOException("Too many open files")));
  }

  @ParameterizedTest
  @MethodSource("lacks")
  void theAttemptFailsWhenItLacksSomething(IOException lack) throws Exception {
    try (MergedLink link =
        reader(
            (location, id, wanted, statistics) -> {
              throw lack;
            })) {
      assertThatThrownBy(link::open)
          .isInstanceOf(ConsumerFaultException.class)
          .hasMessageContaining("a fault of this node: " + lack.getMessage());
    }
    assertThat(lost).isEmpty();
  }

  @Test
  void whatAnotherNodeLacksIsItsOwnFault() throws Exception {
    try (MergedLink link =
        reader(
            (location, id, wanted, statistics) -> {
              throw new IOException("it answers 500: Too many open files");
            })) {
      assertThatThrownBy(link::open).isInstanceOf(InterruptedException.class);
    }
    assertThat(lost).hasSize(PRODUCERS).allMatch(report -> report.loss() == Loss.GONE);
  }

  @Test
  void theAttemptFailsWhenItReachesNobody() throws Exception {
    try (MergedLink link =
        reader(
            (location, id, wanted, statistics) -> {
              throw new HostFailureException(location + " is away", false, null);
            })) {
      assertThatThrownBy(link::open)
          .isInstanceOf(ConsumerFaultException.class)
          .hasMessageContaining("none of 6 nodes can be reached from here")
          .hasMessageContaining(" is away");
    }
    assertThat(lost).isEmpty();
  }

  @Test
  void nodesThatRefuseAreReported() throws Exception {
    try (MergedLink link =
        reader(
            (location, id, wanted, statistics) -> {
              throw new HostFailureException(location + " refuses", true, null);
            })) {
      assertThatThrownBy(link::open).isInstanceOf(InterruptedException.class);
    }
    assertThat(lost).hasSize(PRODUCERS).allMatch(report -> report.loss() == Loss.UNREACHABLE);
  }
}
