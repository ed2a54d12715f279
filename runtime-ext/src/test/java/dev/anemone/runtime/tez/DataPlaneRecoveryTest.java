// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.edit.SetEdgeProperty;
import dev.anemone.ir.property.DataStore;
import dev.anemone.runtime.engine.EdgeCounters;
import dev.anemone.runtime.engine.JobResult;
import dev.anemone.runtime.engine.JobState;
import dev.anemone.runtime.push.PushWires;
import dev.anemone.runtime.testing.TestDags;
import dev.anemone.runtime.testing.TestFunctions;
import dev.anemone.testing.Requirement;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What tasks, blocks and disks can suffer: the answer is right, or the job says why there is none.
 */
@Tag("slow")
class DataPlaneRecoveryTest extends PushRecoveryContract {

  @Override
  String wire() {
    return PushWires.NETTY;
  }

  /** The same without an aggregation. */
  private static IRDag pulling() {
    return new TestDags()
        .numbers("read", PRODUCERS, PER_TASK, KEYS)
        .operator("produce", TestFunctions.spec(TestFunctions.HOOK, "produce"), PRODUCERS)
        .operator("sum", TestFunctions.SUM, CONSUMERS)
        .operator("consume", TestFunctions.spec(TestFunctions.HOOK, "consume"), CONSUMERS)
        .operator("collect", TestFunctions.COLLECT, CONSUMERS)
        .oneToOne("read", "produce")
        .grouped("produce", "sum", CONSUMERS)
        .oneToOne("sum", "consume")
        .oneToOne("consume", "collect")
        .build();
  }

  @Test
  void aConsumerReadsOneRangeInsteadOfOnePerProducer() throws Exception {
    hooks(NOTHING, NOTHING);
    EdgeCounters pulled = edge(right(run(pulling(), 2)), "e1");
    assertThat(pulled.written().records()).isEqualTo(PRODUCERS * PER_TASK);
    assertThat(pulled.disk().diskSeeks()).isEqualTo(PRODUCERS * CONSUMERS);
    hooks(whenAnAggregationRuns(), NOTHING);
    Map<String, EdgeCounters> edges = right(run(pushing(), 2));
    assertThat(edge(edges, "e1").written().records()).isEqualTo(PRODUCERS * PER_TASK);
    assertThat(edge(edges, "e1").pushed().pushedBytes()).isPositive();
    assertThat(edge(edges, "e2").disk().diskSeeks()).isEqualTo(CONSUMERS);
    assertThat(edge(edges, "e2").disk().diskReadBytes())
        .isEqualTo(
            edge(edges, "e1").pushed().pushedBytes()
                + edge(edges, "e1").pushed().fallenBackBytes());
  }

  @Test
  void memoryStaysWithinItsBudget() throws Exception {
    hooks(NOTHING, NOTHING);
    for (EdgeCounters edge : right(run(pulling(), 2)).values()) {
      assertThat(edge.memoryPeakBytes()).isBetween(1L, OFF_HEAP_BYTES / 2);
      assertThat(edge.spilled().spills()).isPositive();
    }
  }

  @Test
  void anAggregationTaskWhoseBlockIsLostAfterItsCommit() throws Exception {
    AtomicInteger deleted = new AtomicInteger();
    hooks(NOTHING, once(deleted, () -> blocks().forEach(DataPlaneRecoveryTest::delete)));
    right(run(pushing(), 1));
    assertThat(deleted).hasValue(1);
  }

  @Test
  void producersWhoseBlocksAreLost() throws Exception {
    AtomicInteger deleted = new AtomicInteger();
    hooks(NOTHING, once(deleted, () -> blocks().forEach(DataPlaneRecoveryTest::delete)));
    right(run(pulling(), 1));
    assertThat(deleted).hasValue(1);
  }

  @Test
  void aByteOfAnAggregatedBlockIsWrong() throws Exception {
    AtomicInteger damaged = new AtomicInteger();
    hooks(NOTHING, once(damaged, () -> blocks().forEach(DataPlaneRecoveryTest::damage)));
    right(run(pushing(), 1));
    assertThat(damaged).hasValue(1);
  }

  @Test
  void aByteOfAProducersBlockIsWrong() throws Exception {
    AtomicInteger damaged = new AtomicInteger();
    hooks(NOTHING, once(damaged, () -> blocks().forEach(DataPlaneRecoveryTest::damage)));
    right(run(pulling(), 1));
    assertThat(damaged).hasValue(1);
  }

  @Test
  void aConsumerThatDies() throws Exception {
    AtomicInteger failures = new AtomicInteger();
    hooks(
        NOTHING,
        (task, count) -> {
          if (task.attempt() == 0 && count == 100) {
            failures.incrementAndGet();
            throw new IllegalStateException("planned failure");
          }
        });
    right(run(pushing(), 2));
    assertThat(failures).hasValue(CONSUMERS);
  }

  @Test
  void withOneSlotEverythingStillConverges() throws Exception {
    hooks(
        (task, count) -> {
          if (task.attempt() == 0 && count == PER_TASK / 2) {
            throw new IllegalStateException("planned failure");
          }
        },
        NOTHING);
    right(run(pushing(), 1));
  }

  @Test
  void twoShufflesShareAnAggregation() throws Exception {
    hooks(NOTHING, NOTHING);
    right(
        run(
            new TestDags()
                .numbers("left", PRODUCERS / 2, PER_TASK, KEYS)
                .numbers("right", PRODUCERS / 2, PER_TASK, KEYS)
                .aggregation("relay", 2)
                .operator("sum", TestFunctions.SUM, CONSUMERS)
                .operator("collect", TestFunctions.COLLECT, CONSUMERS)
                .pushed("left", "relay", "l", 2, CONSUMERS)
                .pushed("right", "relay", "r", 2, CONSUMERS)
                .aggregated("relay", "l", "sum", CONSUMERS)
                .aggregated("relay", "r", "sum", CONSUMERS)
                .oneToOne("sum", "collect")
                .build(),
            2));
  }

  @Test
  void blocksAreKeptInMemoryAndInFilesBeyondIt() throws Exception {
    hooks(NOTHING, NOTHING);
    // One producer after the other, so that the first block fits and those behind it do not.
    EdgeCounters kept =
        edge(right(run(pulling().apply(new SetEdgeProperty("e1", DataStore.MEMORY)), 1)), "e1");
    assertThat(kept.disk().diskReadBytes()).isBetween(1L, kept.written().storedBytes() - 1);
  }

  @Test
  void aFullDiskEndsTheJobWithTheReason() throws Exception {
    Path disk = Files.createDirectory(temp.resolve("small"));
    Requirement.ROOT.check(
        execute("mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", disk.toString()) == 0,
        "a full disk is not tested, since this user may not mount a tmpfs");
    try {
      hooks(NOTHING, NOTHING);
      JobResult result = run(pulling(), 2, disk);
      assertThat(result.state()).isEqualTo(JobState.FAILED);
      assertThat(result.failure().orElseThrow())
          .hasMessageContaining(disk.toString())
          .hasMessageContaining("No space left on device");
    } finally {
      // The session stays for later jobs, with open files.
      assertThat(execute("umount", "--lazy", disk.toString())).isZero();
    }
  }

  private static int execute(String... command) throws Exception {
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
    return process.exitValue();
  }

  @Test
  void nothingIsLeftOfAJobInAWarmSession() throws Exception {
    hooks(NOTHING, NOTHING);
    right(run(pushing(), 2));
    assertThat(blocks()).isEmpty();
    try (Stream<Path> files = Files.walk(temp)) {
      assertThat(files.map(Path::toString))
          .noneMatch(name -> name.contains("/attempt_") || name.contains("job-"));
    }
  }

  /** What the first consumer task does, once, when it has read all its input. */
  private static TestFunctions.Hook once(AtomicInteger times, Runnable action) {
    return (task, count) -> {
      if (times.compareAndSet(0, 1)) {
        action.run();
      }
    };
  }

  private static List<Path> blocks() {
    try (Stream<Path> files = Files.walk(temp)) {
      return files.filter(file -> file.endsWith("file.out")).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path block) {
    try {
      Files.delete(block);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Changes a byte in the middle of each partition. */
  private static void damage(Path block) {
    try (RandomAccessFile index =
            new RandomAccessFile(block.resolveSibling("file.out.index").toFile(), "r");
        RandomAccessFile data = new RandomAccessFile(block.toFile(), "rw")) {
      for (int partition = 0; partition < CONSUMERS; partition++) {
        long offset = index.readLong();
        index.readLong();
        long middle = offset + index.readLong() / 2;
        data.seek(middle);
        int wrong = data.readUnsignedByte() ^ 0x10;
        data.seek(middle);
        data.writeByte(wrong);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
