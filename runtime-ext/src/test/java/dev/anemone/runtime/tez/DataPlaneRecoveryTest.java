package dev.anemone.runtime.tez;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.edit.SetEdgeProperty;
import dev.anemone.ir.edit.SetVertexProperty;
import dev.anemone.ir.property.ClonedScheduling;
import dev.anemone.ir.property.DataStore;
import dev.anemone.runtime.engine.Deployment;
import dev.anemone.runtime.engine.EdgeCounters;
import dev.anemone.runtime.engine.EngineOptions;
import dev.anemone.runtime.engine.JobResult;
import dev.anemone.runtime.engine.JobState;
import dev.anemone.runtime.testing.TestDags;
import dev.anemone.runtime.testing.TestFunctions;
import dev.anemone.runtime.transfer.Aggregation;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What tasks, blocks and disks can suffer: the answer is right, or the job says why there is none.
 */
@Timeout(120)
class DataPlaneRecoveryTest {

  private static final int PRODUCERS = 4;
  private static final int CONSUMERS = 3;
  private static final int PER_TASK = 250_000;
  private static final int KEYS = 100_000;

  /** Little enough that producers fill their memory several times. */
  private static final long OFF_HEAP_BYTES = 16L << 20;

  @TempDir static Path temp;

  @AfterEach
  void forgetHooks() {
    TestFunctions.HOOKS.clear();
  }

  private static JobResult run(IRDag dag, int slots) throws InterruptedException {
    return run(dag, slots, temp);
  }

  private static JobResult run(IRDag dag, int slots, Path directory) throws InterruptedException {
    return TezEngine.of(
            new EngineOptions(
                slots, 3, OFF_HEAP_BYTES, directory, false, new Deployment.InProcess()))
        .submit(TestDags.job(dag))
        .await(Optional.of(Duration.ofSeconds(100)))
        .orElseThrow();
  }

  /** Producers with a hook push to an aggregation; its consumers have a hook too. */
  private static IRDag pushing() {
    return new TestDags()
        .numbers("read", PRODUCERS, PER_TASK, KEYS)
        .operator("produce", TestFunctions.spec(TestFunctions.HOOK, "produce"), PRODUCERS)
        .aggregation("relay", 1)
        .operator("sum", TestFunctions.SUM, CONSUMERS)
        .operator("consume", TestFunctions.spec(TestFunctions.HOOK, "consume"), CONSUMERS)
        .operator("collect", TestFunctions.COLLECT, CONSUMERS)
        .oneToOne("read", "produce")
        .pushed("produce", "relay", "main", 1, CONSUMERS)
        .aggregated("relay", "main", "sum", CONSUMERS)
        .oneToOne("sum", "consume")
        .oneToOne("consume", "collect")
        .build();
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

  private static void hooks(TestFunctions.Hook produce, TestFunctions.Hook consume) {
    TestFunctions.HOOKS.put("produce", produce);
    TestFunctions.HOOKS.put("consume", consume);
  }

  private static final TestFunctions.Hook NOTHING = (task, count) -> {};

  /** Checks that the job succeeded and every number was counted exactly once. */
  private static Map<String, EdgeCounters> right(JobResult result) {
    assertThat(result.failure()).isEmpty();
    assertThat(result.state()).isEqualTo(JobState.SUCCEEDED);
    int[] counts = new int[KEYS];
    result.reports().stream()
        .flatMap(r -> new String(r.report(), StandardCharsets.UTF_8).lines())
        .forEach(
            line -> {
              int equals = line.indexOf('=');
              counts[Integer.parseInt(line.substring("key".length(), equals))] +=
                  Integer.parseInt(line.substring(equals + 1));
            });
    int[] expected = new int[KEYS];
    for (int number = 0; number < PRODUCERS * PER_TASK; number++) {
      expected[number % KEYS]++;
    }
    assertThat(Arrays.equals(counts, expected)).as("every number counted once").isTrue();
    return result.edges();
  }

  private static EdgeCounters edge(Map<String, EdgeCounters> edges, String id) {
    assertThat(edges).containsKey(id);
    return edges.get(id);
  }

  @Test
  void aConsumerReadsOneRangeInsteadOfOnePerProducer() throws Exception {
    hooks(NOTHING, NOTHING);
    EdgeCounters pulled = edge(right(run(pulling(), 2)), "e1");
    assertThat(pulled.records()).isEqualTo(PRODUCERS * PER_TASK);
    assertThat(pulled.diskSeeks()).isEqualTo(PRODUCERS * CONSUMERS);
    hooks(whenAnAggregationRuns(), NOTHING);
    Map<String, EdgeCounters> edges = right(run(pushing(), 2));
    assertThat(edge(edges, "e1").records()).isEqualTo(PRODUCERS * PER_TASK);
    assertThat(edge(edges, "e1").pushedBytes()).isPositive();
    assertThat(edge(edges, "e2").diskSeeks()).isEqualTo(CONSUMERS);
    assertThat(edge(edges, "e2").diskReadBytes())
        .isEqualTo(edge(edges, "e1").pushedBytes() + edge(edges, "e1").fallenBackBytes());
  }

  /** Producers go on when they have somebody to push to. */
  private static TestFunctions.Hook whenAnAggregationRuns() {
    return (task, count) -> {
      while (count == 0 && aggregations().isEmpty()) {
        Thread.onSpinWait();
      }
    };
  }

  @Test
  void memoryStaysWithinItsBudget() throws Exception {
    hooks(NOTHING, NOTHING);
    for (EdgeCounters edge : right(run(pulling(), 2)).values()) {
      assertThat(edge.memoryPeakBytes()).isBetween(1L, OFF_HEAP_BYTES / 2);
      assertThat(edge.spills()).isPositive();
    }
  }

  @Test
  void aProducerThatDiesHalfWayThroughItsPush() throws Exception {
    AtomicInteger failures = new AtomicInteger();
    hooks(
        (task, count) -> {
          whenAnAggregationRuns().at(task, count);
          if (task.attempt() == 0 && task.taskIndex() % 2 == 1 && count == PER_TASK - 10) {
            failures.incrementAndGet();
            throw new IllegalStateException("planned failure");
          }
        },
        NOTHING);
    assertThat(edge(right(run(pushing(), 2)), "e1").pushedBytes()).isPositive();
    assertThat(failures).hasValue(2);
  }

  @Test
  void anAggregationTaskThatDiesBeforeItsCommit() throws Exception {
    AtomicInteger killed = new AtomicInteger();
    hooks(
        (task, count) -> {
          whenAnAggregationRuns().at(task, count);
          if (task.taskIndex() == PRODUCERS - 1 && count == PER_TASK / 2 && killed.get() == 0) {
            killed.addAndGet(interruptAggregations());
          }
        },
        NOTHING);
    right(run(pushing(), 2));
    assertThat(killed).hasValue(1);
  }

  /** Interrupts the threads that gather; returns how many there were. */
  private static int interruptAggregations() {
    List<Thread> gathering = aggregations();
    gathering.forEach(Thread::interrupt);
    return gathering.size();
  }

  private static List<Thread> aggregations() {
    return Thread.getAllStackTraces().entrySet().stream()
        .filter(
            thread ->
                Arrays.stream(thread.getValue())
                    .anyMatch(
                        frame ->
                            frame.getClassName().equals(Aggregation.class.getName())
                                && frame.getMethodName().equals("run")))
        .map(Map.Entry::getKey)
        .toList();
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
  void twoAttemptsOfAProducerPushAndOneCounts() throws Exception {
    AtomicInteger slow = new AtomicInteger();
    hooks(
        (task, count) -> {
          if (task.taskIndex() == 0 && task.attempt() == 0 && count == PER_TASK - 10) {
            slow.incrementAndGet();
            waitToBeEnded();
          }
        },
        NOTHING);
    IRDag dag = pushing();
    for (String vertex : List.of("read", "produce")) {
      dag = dag.apply(new SetVertexProperty(vertex, new ClonedScheduling(1.0, 0.5)));
    }
    right(run(dag, 2));
    assertThat(slow).hasValue(1);
  }

  private static void waitToBeEnded() throws InterruptedException {
    Object nobodyNotifies = new Object();
    synchronized (nobodyNotifies) {
      while (true) {
        nobodyNotifies.wait();
      }
    }
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
  void whatIsNotPushedIsPulled() throws Exception {
    hooks(whenAnAggregationRuns(), NOTHING);
    EdgeCounters pushed = edge(right(run(manyProducers(), 2)), "e1");
    assertThat(pushed.pushedBytes()).isPositive();
    assertThat(pushed.pushedBytes() + pushed.fallenBackBytes()).isEqualTo(pushed.storedBytes());
  }

  /** More producers than slots, so that most of them find the aggregation running. */
  private static IRDag manyProducers() {
    return new TestDags()
        .numbers("read", 10 * PRODUCERS, PER_TASK / 10, KEYS)
        .operator("produce", TestFunctions.spec(TestFunctions.HOOK, "produce"), 10 * PRODUCERS)
        .aggregation("relay", 2)
        .operator("sum", TestFunctions.SUM, CONSUMERS)
        .operator("collect", TestFunctions.COLLECT, CONSUMERS)
        .oneToOne("read", "produce")
        .pushed("produce", "relay", "main", 2, CONSUMERS)
        .aggregated("relay", "main", "sum", CONSUMERS)
        .oneToOne("sum", "collect")
        .build();
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
    assertThat(kept.diskReadBytes()).isBetween(1L, kept.storedBytes() - 1);
  }

  @Test
  void aFullDiskEndsTheJobWithTheReason() throws Exception {
    Path disk = Files.createDirectory(temp.resolve("small"));
    assumeTrue(
        execute("mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", disk.toString()) == 0,
        "SKIPPED: a full disk is not tested, since this user may not mount a tmpfs");
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
