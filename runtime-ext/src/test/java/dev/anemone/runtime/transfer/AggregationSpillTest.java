// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.partition.HashRange;
import dev.anemone.ir.property.DataStore;
import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.push.PushHarness;
import dev.anemone.runtime.push.PushOutcome;
import dev.anemone.runtime.push.PushSender;
import dev.anemone.runtime.push.PushWires;
import dev.anemone.runtime.push.SendingTask;
import dev.anemone.runtime.push.wires.InstalledWires;
import dev.anemone.runtime.shuffle.format.Producer;
import dev.anemone.runtime.stage.Link;
import dev.anemone.runtime.stage.Transfer;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockReader;
import dev.anemone.runtime.store.ReadStatistics;
import dev.anemone.runtime.table.RecordTables;
import dev.anemone.runtime.transfer.announcement.BlockAnnouncement;
import dev.anemone.runtime.transfer.announcement.InputEvent;
import dev.anemone.runtime.transfer.announcement.ProducerClasses;
import dev.anemone.runtime.transfer.announcement.Source;
import dev.anemone.runtime.transfer.announcement.SourceFeed;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Producers that push more than an aggregation has memory for, before any of them has succeeded.
 */
@Timeout(60)
class AggregationSpillTest {

  private static final int PRODUCERS = 4;
  private static final int PARTITIONS = 12;
  private static final int ENTRIES = 40;
  private static final int ENTRY_BYTES = 50_000;
  private static final long PRODUCER_BYTES = (long) ENTRIES * ENTRY_BYTES;

  /**
   * Less than a wave has, and more than all of its producers but one: what has come of a producer
   * that has ended stays in memory, whoever ends first.
   */
  private static final long MEMORY_BYTES = 30L * PagePool.PAGE_BYTES;

  private static final BlockId AGGREGATED = new BlockId("aggregated");

  @TempDir Path directory;

  private final BlockingQueue<Source> lost = new LinkedBlockingQueue<>();
  private final SourceFeed feed =
      new SourceFeed((source, version, loss, reason) -> lost.add(source));
  private PushHarness harness;
  private PushWires wires;
  private DataPlane plane;
  private Aggregation aggregation;
  private CompletableFuture<Map<String, BlockAnnouncement>> gathered;

  @BeforeEach
  void open() throws Exception {
    harness = new PushHarness(PushWires.NETTY, directory.resolve("fallen-back"));
    wires = InstalledWires.netty(PushHarness.SECRET);
    List<List<HashRange>> all = List.of(List.of(new HashRange(0, PARTITIONS)));
    TestLinks links =
        TestLinks.of(Transfer.GROUPED, PARTITIONS, all, List.of(), directory.resolve("blocks"));
    Link link = links.link();
    Link pushing =
        new Link(
            link.peer(),
            link.transfer(),
            link.channels(),
            PARTITIONS,
            all,
            true,
            List.of(),
            false,
            Optional.empty());
    plane =
        new DataPlane(
            links.plane().memory(),
            new TaskBudget(MEMORY_BYTES, MEMORY_BYTES, RecordTables.LEAST_BYTES),
            links.plane().stores(),
            links.plane().pushInterface(),
            wires,
            Optional.empty());
    aggregation =
        Aggregation.open(
            new TaskAttempt(
                links.consumer().withInputs(List.of(pushing)).withOutputs(List.of(link)),
                0,
                0,
                false),
            plane,
            Map.of("producer", PRODUCERS),
            feed,
            AGGREGATED);
    gathered =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return aggregation.run();
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            });
  }

  @AfterEach
  void close() throws Exception {
    aggregation.close();
    wires.close();
    harness.close();
  }

  private SendingTask task(int task, int attempt) {
    return harness.task(
        new PushSender.Settings("job", new Producer(task, attempt)),
        8,
        1,
        target -> aggregation.address());
  }

  /** Pushes all that a producer has; may take as long as the aggregation lets it wait. */
  private static CompletableFuture<PushOutcome> push(SendingTask task) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            task.send(ENTRIES, ENTRY_BYTES);
            return task.finish();
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        });
  }

  private void announce(int task, int attempt, List<BlockAnnouncement.Pushed> pushed) {
    announce(task, attempt, pushed, Optional.empty());
  }

  /** Announces what was pushed, and perhaps a block that has all of it, too. */
  private void announce(
      int task, int attempt, List<BlockAnnouncement.Pushed> pushed, Optional<BlockId> kept) {
    BitSet inBlock = new BitSet();
    inBlock.set(0, kept.isPresent() ? PARTITIONS : 0);
    feed.add(
        new InputEvent.Announced(
            new Source("producer", task),
            attempt,
            new BlockAnnouncement(
                new Producer(task, attempt),
                kept,
                DataStore.LOCAL_FILE,
                Optional.empty(),
                inBlock,
                false,
                kept.isPresent(),
                pushed,
                List.of(),
                ProducerClasses.NONE,
                task)));
  }

  private static List<BlockAnnouncement.Pushed> all(PushOutcome outcome) {
    return outcome.pushed().stream()
        .map(p -> new BlockAnnouncement.Pushed(p.target(), 0, p.batches()))
        .toList();
  }

  /** Pushes everything before anything is announced; nothing may fall back. */
  private List<PushOutcome> wave(SendingTask... tasks) throws Exception {
    List<CompletableFuture<PushOutcome>> under =
        Arrays.stream(tasks).map(AggregationSpillTest::push).toList();
    List<PushOutcome> outcomes = new ArrayList<>();
    for (CompletableFuture<PushOutcome> each : under) {
      outcomes.add(each.get(30, TimeUnit.SECONDS));
    }
    assertThat(outcomes).extracting(PushOutcome::fallenBackBytes).containsOnly(0L);
    return outcomes;
  }

  /**
   * Pushes so much that others find no room unless it is written. A sender has a quarter of that in
   * hand at most.
   */
  private static void fillMemory(SendingTask task) throws Exception {
    task.send(PRODUCERS * ENTRIES, ENTRY_BYTES);
  }

  private List<Producer> dropped() throws Exception {
    return gathered.get(30, TimeUnit.SECONDS).values().iterator().next().dropped();
  }

  private long blockBytes() throws Exception {
    try (BlockReader block = plane.localFiles().open(AGGREGATED, new ReadStatistics())) {
      return block.index().storedBytes();
    }
  }

  @Test
  void aWaveLargerThanMemoryIsWrittenBeforeItsCommit() throws Exception {
    assertAWaveIsGathered(Optional.empty());
  }

  @Test
  void whatWasPushedHereIsNotReadWhereItsProducerHasKeptIt() throws Exception {
    assertAWaveIsGathered(Optional.of(new BlockId("nobody_needs_it")));
  }

  private void assertAWaveIsGathered(Optional<BlockId> kept) throws Exception {
    try (SendingTask a = task(0, 0);
        SendingTask b = task(1, 0);
        SendingTask c = task(2, 0);
        SendingTask d = task(3, 0)) {
      List<PushOutcome> outcomes = wave(a, b, c, d);
      for (int task = 0; task < PRODUCERS; task++) {
        announce(task, 0, all(outcomes.get(task)), kept);
      }
      assertThat(dropped()).isEmpty();
      assertThat(lost).isEmpty();
      assertThat(blockBytes()).isEqualTo(PRODUCERS * PRODUCER_BYTES);
    }
  }

  @Test
  void anAttemptThatNeverSucceedsIsLeftOut() throws Exception {
    try (SendingTask a = task(0, 0);
        SendingTask b = task(1, 0);
        SendingTask c = task(2, 0);
        SendingTask killed = task(3, 0);
        SendingTask second = task(3, 1)) {
      fillMemory(killed);
      List<PushOutcome> outcomes = wave(a, b, c, second);
      for (int task = 0; task < PRODUCERS - 1; task++) {
        announce(task, 0, all(outcomes.get(task)));
      }
      announce(3, 1, all(outcomes.get(3)));
      assertThat(dropped()).containsExactly(new Producer(3, 0));
      assertThat(blockBytes())
          .isBetween(PRODUCERS * PRODUCER_BYTES + 1, 2 * PRODUCERS * PRODUCER_BYTES);
    }
  }

  /** A sender that has given up waiting for an answer has those batches in its own block, too. */
  @Test
  void anAttemptWhoseCommitDoesNotNameAllThatWasWrittenRunsAgain() throws Exception {
    try (SendingTask a = task(0, 0);
        SendingTask b = task(1, 0);
        SendingTask c = task(2, 0);
        SendingTask d = task(3, 0);
        SendingTask again = task(3, 1)) {
      fillMemory(d);
      List<PushOutcome> outcomes = wave(a, b, c);
      announce(3, 0, List.of());
      assertThat(lost.poll(20, TimeUnit.SECONDS)).isEqualTo(new Source("producer", 3));
      for (int task = 0; task < PRODUCERS - 1; task++) {
        announce(task, 0, all(outcomes.get(task)));
      }
      announce(3, 1, all(wave(again).get(0)));
      assertThat(dropped()).containsExactly(new Producer(3, 0));
    }
  }
}
