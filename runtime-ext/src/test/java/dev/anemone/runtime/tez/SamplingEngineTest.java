// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.edit.InsertCombiner;
import dev.anemone.ir.edit.InsertRecombiner;
import dev.anemone.ir.edit.InsertSampling;
import dev.anemone.ir.edit.SampledStage;
import dev.anemone.ir.edit.SetEdgeProperty;
import dev.anemone.ir.edit.SetVertexProperty;
import dev.anemone.ir.function.CombineSplit;
import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.ir.message.ShuffleSizes;
import dev.anemone.ir.message.TaskTimes;
import dev.anemone.ir.partition.HashRange;
import dev.anemone.ir.partition.PartitionDivision;
import dev.anemone.ir.property.Decoder;
import dev.anemone.ir.property.Divisibility;
import dev.anemone.ir.property.Encoder;
import dev.anemone.ir.property.Parallelism;
import dev.anemone.ir.property.PartitionSet;
import dev.anemone.ir.property.Partitioner;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.PassException;
import dev.anemone.passes.RunTimePass;
import dev.anemone.runtime.engine.Deployment;
import dev.anemone.runtime.engine.JobEngineOptions;
import dev.anemone.runtime.engine.JobResult;
import dev.anemone.runtime.engine.JobState;
import dev.anemone.runtime.engine.Redraw;
import dev.anemone.runtime.event.RangesRedrawn;
import dev.anemone.runtime.testing.TestDags;
import dev.anemone.runtime.testing.TestFunctions;
import dev.anemone.runtime.tez.client.TezEngine;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Samples, measures, and draws ranges while the job runs. */
@Timeout(60)
public class SamplingEngineTest {

  private static final int PRODUCERS = 6;
  private static final int CONSUMERS = 3;
  private static final int MULTIPLIER = 4;
  private static final int PARTITIONS = CONSUMERS * MULTIPLIER;
  private static final int PER_TASK = 100;
  private static final int KEYS = 20;

  /** For which a task waits for others that must not start. */
  private static final Duration PAUSE = Duration.ofMillis(500);

  /** The last consumer has nothing to read. */
  private static final PartitionSet UNEVEN =
      set(
          List.of(
              List.of(range(0, PARTITIONS - 1)),
              List.of(range(PARTITIONS - 1, PARTITIONS)),
              List.of()));

  @TempDir static Path temp;

  /** What happened, in order: tasks that started, and the run-time pass. */
  private static final List<String> EVENTS = Collections.synchronizedList(new ArrayList<>());

  /** What the pass of a test makes of a graph. */
  private static volatile UnaryOperator<IRDag> redraw = dag -> dag;

  private static volatile ShuffleSizes message;

  /** A run-time pass that does what the test says. */
  public static final class TestPass implements RunTimePass<ShuffleSizes> {
    @Override
    public Class<ShuffleSizes> messageType() {
      return ShuffleSizes.class;
    }

    @Override
    public IRDag apply(IRDag dag, ShuffleSizes sizes, PassContext context) {
      EVENTS.add("pass");
      message = sizes;
      return redraw.apply(dag);
    }

    @Override
    public List<String> notes(IRDag dag, ShuffleSizes sizes, PassContext context) {
      return List.of("drawn");
    }
  }

  /** A run-time pass that says how long tasks ran. */
  public static final class TimesPass implements RunTimePass<TaskTimes> {
    @Override
    public Class<TaskTimes> messageType() {
      return TaskTimes.class;
    }

    @Override
    public IRDag apply(IRDag dag, TaskTimes times, PassContext context) {
      EVENTS.add("times");
      return dag.apply(new SetEdgeProperty("e1", UNEVEN));
    }

    @Override
    public List<String> notes(IRDag dag, TaskTimes times, PassContext context) {
      boolean waited = times.millis().stream().anyMatch(time -> time >= PAUSE.toMillis());
      return List.of(times.vertexId() + " " + times.millis().size() + " " + waited);
    }
  }

  @AfterEach
  void forget() {
    TestFunctions.HOOKS.clear();
    EVENTS.clear();
    redraw = dag -> dag;
    message = null;
  }

  private static JobResult run(IRDag dag, int slots) throws InterruptedException {
    return run(dag, slots, List.of(new TestPass()));
  }

  private static JobResult run(IRDag dag, int slots, List<RunTimePass<?>> passes)
      throws InterruptedException {
    return TezEngine.of(new JobEngineOptions(slots, 3, 64L << 20, temp, new Deployment.InProcess()))
        .submit(TestDags.job(dag, passes))
        .await(Optional.of(Duration.ofSeconds(50)))
        .orElseThrow();
  }

  private static List<String> collected(JobResult result) {
    assertThat(result.failure()).isEmpty();
    assertThat(result.state()).isEqualTo(JobState.SUCCEEDED);
    return result.reports().stream()
        .flatMap(r -> Stream.of(new String(r.report(), StandardCharsets.UTF_8).split("\n")))
        .filter(line -> !line.isEmpty())
        .sorted()
        .toList();
  }

  /** Every key as often as all producers together send it. */
  private static List<String> sums() {
    int each = PRODUCERS * PER_TASK / KEYS;
    return IntStream.range(0, KEYS).mapToObj(key -> "key" + key + "=" + each).sorted().toList();
  }

  private static IRDag fine(IRDag dag, String... edges) {
    IRDag result = dag;
    for (String edge : edges) {
      result =
          result
              .apply(new SetEdgeProperty(edge, new Partitioner.Hash(MULTIPLIER)))
              .apply(new SetEdgeProperty(edge, PartitionSet.even(CONSUMERS, MULTIPLIER)));
    }
    return result;
  }

  /** Producers with a hook, of which tasks 1 and 4 are sampled; the shuffle is e1. */
  private static IRDag sampled() {
    TestFunctions.HOOKS.put(
        "produce",
        (task, count) -> {
          if (count == 0) {
            EVENTS.add("produce " + task.taskIndex());
          }
        });
    IRDag dag =
        new TestDags()
            .numbers("read", PRODUCERS, PER_TASK, KEYS)
            .operator("produce", TestFunctions.spec(TestFunctions.HOOK, "produce"), PRODUCERS)
            .operator("sum", TestFunctions.SUM, CONSUMERS)
            .operator("collect", TestFunctions.COLLECT, CONSUMERS)
            .oneToOne("read", "produce")
            .grouped("produce", "sum", CONSUMERS)
            .oneToOne("sum", "collect")
            .build();
    return fine(dag, "e1")
        .apply(InsertSampling.of("e1", Set.of("read", "produce"), List.of(1, 4), "sizes", "Test"));
  }

  private static PartitionSet set(List<List<HashRange>> perTask, PartitionDivision... divisions) {
    return new PartitionSet(perTask, List.of(divisions));
  }

  private static HashRange range(int from, int to) {
    return new HashRange(from, to);
  }

  @Test
  void theOthersStartWhenTheRangesAreDrawnAndWhatTheSampleWroteIsKept() throws Exception {
    IRDag dag = sampled();
    TestFunctions.Hook first = TestFunctions.HOOKS.get("produce");
    TestFunctions.HOOKS.put(
        "produce",
        (task, count) -> {
          first.at(task, count);
          if (task.taskIndex() == 4 && count == 0) {
            giveOthersTheChanceToStart();
          }
        });
    assertThat(collected(run(dag, 2))).isEqualTo(sums());
    int pass = EVENTS.indexOf("pass");
    assertThat(EVENTS.subList(0, pass)).containsExactlyInAnyOrder("produce 1", "produce 4");
    assertThat(EVENTS.subList(pass + 1, EVENTS.size()))
        .containsExactlyInAnyOrder("produce 0", "produce 2", "produce 3", "produce 5");
  }

  /** The other slot is free when task 1 has ended, so that a task that is not held would start. */
  private static void giveOthersTheChanceToStart() {
    long deadline = System.nanoTime() + PAUSE.toNanos();
    while (EVENTS.size() < 3 && System.nanoTime() < deadline) {
      Thread.onSpinWait();
    }
  }

  @Test
  void howLongTheSampleRanIsToldToRunTimePassesThatTakeIt() throws Exception {
    IRDag dag = sampled();
    TestFunctions.HOOKS.put(
        "produce",
        (task, count) -> {
          if (task.taskIndex() == 4 && count == 0) {
            giveOthersTheChanceToStart();
          }
        });
    JobResult result = run(dag, 2, List.of(new TestPass(), new TimesPass()));

    assertThat(collected(result)).isEqualTo(sums());
    assertThat(EVENTS).containsExactly("pass", "times");
    assertThat(result.redraws()).hasSize(1);
    assertThat(result.redraws().get(0).notes()).containsExactly("drawn", "produce 2 true");
    assertThat(result.redraws().get(0).shuffles().get(0).after())
        .as("the ranges that the pass has drawn")
        .hasSize(CONSUMERS)
        .last()
        .isEqualTo(0L);
  }

  @Test
  void withOneSlotToo() throws Exception {
    assertThat(collected(run(sampled(), 1))).isEqualTo(sums());
    assertThat(EVENTS.indexOf("pass")).isEqualTo(2);
  }

  @Test
  void theMessageHasWhatTheSampledTasksSent() throws Exception {
    run(sampled(), 2);
    assertThat(message.partitions()).isEqualTo(PARTITIONS);
    ShuffleSizes.Shuffle shuffle = message.shuffles().get(0);
    assertThat(shuffle.edges()).containsExactly("e1");
    assertThat(shuffle.sampledTasks()).isEqualTo(2);
    assertThat(shuffle.tasks()).isEqualTo(PRODUCERS);
    // Two lengths, the tag, a key of 4 or 5 letters, and a value of one.
    long eachKeyOnce = 10L * (2 + 1 + 4 + 1) + 10L * (2 + 1 + 5 + 1);
    assertThat(shuffle.sampled().totalBytes()).isEqualTo(2L * PER_TASK / KEYS * eachKeyOnce);
  }

  @Test
  void consumersReadTheRangesThatWereDrawn() throws Exception {
    redraw =
        dag ->
            dag.apply(
                new SetEdgeProperty(
                    "e1",
                    set(
                        List.of(
                            List.of(range(0, 1), range(3, 11)),
                            List.of(),
                            List.of(range(1, 3), range(11, PARTITIONS))))));
    JobResult result = run(sampled(), 2);
    assertThat(collected(result)).isEqualTo(sums());
    List<Long> read = result.readBytes().get("e1");
    assertThat(read).hasSize(CONSUMERS);
    assertThat(read.get(1)).isZero();
    Redraw report = result.redraws().get(0);
    assertThat(report.notes()).containsExactly("drawn");
    assertThat(report.sampledTasks()).isEqualTo(2);
    assertThat(report.heldTasks()).isEqualTo(PRODUCERS - 2);
    assertThat(report.shuffles().get(0).edge()).isEqualTo("e1");
    // All tasks send the same, so the estimate is exact.
    assertThat(report.shuffles().get(0).after()).isEqualTo(read);
    assertThat(report.shuffles().get(0).before().stream().mapToLong(Long::longValue).sum())
        .isEqualTo(read.stream().mapToLong(Long::longValue).sum());
  }

  @Test
  void aStageCanGetFewerTasks() throws Exception {
    redraw =
        dag ->
            dag.apply(new SetVertexProperty("sum", new Parallelism(1)))
                .apply(new SetVertexProperty("collect", new Parallelism(1)))
                .apply(new SetEdgeProperty("e1", set(List.of(List.of(range(0, PARTITIONS))))));
    JobResult result = run(sampled(), 2);
    assertThat(collected(result)).isEqualTo(sums());
    assertThat(result.readBytes().get("e1")).hasSize(1);
  }

  @Test
  void aPassThatFailsEndsTheJobAndIsTheReason() throws Exception {
    redraw =
        dag -> {
          throw new IllegalStateException("planned failure of the pass");
        };
    JobResult result = run(sampled(), 2);
    assertThat(result.state()).isEqualTo(JobState.FAILED);
    assertThat(result.failure())
        .get()
        .isInstanceOf(PassException.class)
        .extracting(Throwable::getMessage)
        .asString()
        .contains("planned failure of the pass");
  }

  @Test
  void aSampledTaskThatFailsIsMeasuredWhenItIsRunAgain() throws Exception {
    IRDag dag = sampled();
    TestFunctions.HOOKS.put(
        "produce",
        (task, count) -> {
          if (task.taskIndex() == 4 && task.attempt() == 0 && count == PER_TASK - 1) {
            throw new IllegalStateException("planned failure");
          }
        });
    assertThat(collected(run(dag, 2))).isEqualTo(sums());
    assertThat(message.shuffles().get(0).sampledTasks()).isEqualTo(2);
  }

  /** Two shuffles in a row, e0 and e1. */
  private static IRDag twoShuffles() {
    IRDag dag =
        new TestDags()
            .numbers("read", PRODUCERS, PER_TASK, KEYS)
            .operator("first", TestFunctions.SUM, CONSUMERS)
            .operator("second", TestFunctions.SUM, CONSUMERS)
            .operator("collect", TestFunctions.COLLECT, CONSUMERS)
            .grouped("read", "first", CONSUMERS)
            .grouped("first", "second", CONSUMERS)
            .oneToOne("second", "collect")
            .build();
    return fine(dag, "e0", "e1");
  }

  @Test
  void samplesOfSeveralStagesInARow() throws Exception {
    IRDag sampled =
        twoShuffles()
            .apply(InsertSampling.of("e0", Set.of("read"), List.of(0, 3), "first-sizes", "Test"))
            .apply(InsertSampling.of("e1", Set.of("first"), List.of(1), "second-sizes", "Test"));
    redraw =
        now -> {
          PartitionSet reversed =
              set(List.of(List.of(range(8, 12)), List.of(range(4, 8)), List.of(range(0, 4))));
          return message.messageId().equals("first-sizes")
              ? now.apply(new SetEdgeProperty("e0", reversed))
                  .apply(new SetEdgeProperty("e0-sampled", reversed))
              : now.apply(new SetEdgeProperty("e1", reversed));
        };
    JobResult result = run(sampled, 2);
    assertThat(collected(result)).isEqualTo(sums());
    assertThat(result.redraws()).extracting(Redraw::messageId).hasSize(2);
    assertThat(EVENTS).containsExactly("pass", "pass");
  }

  @Test
  void aStageThatGetsFewerTasksIsMeasuredWithThese() throws Exception {
    IRDag sampled =
        twoShuffles()
            .apply(InsertSampling.of("e0", Set.of("read"), List.of(0, 3), "first-sizes", "Test"))
            .apply(
                InsertSampling.of("e1", Set.of("first"), List.of(0, 1, 2), "second-sizes", "Test"));
    PartitionSet one = set(List.of(List.of(range(0, PARTITIONS))));
    redraw =
        now ->
            message.messageId().equals("first-sizes")
                ? now.apply(new SetVertexProperty("first", new Parallelism(1)))
                    .apply(new SetEdgeProperty("e0", one))
                    .apply(new SetEdgeProperty("e0-sampled", one))
                : now;
    JobResult result = run(sampled, 2);
    assertThat(collected(result)).isEqualTo(sums());
    assertThat(result.readBytes().get("e0")).hasSize(1);
    assertThat(message.shuffles().get(0).tasks()).isEqualTo(1);
  }

  @Test
  void overAnAggregationTheRangesOfItsConsumerAreDrawn() throws Exception {
    IRDag dag =
        new TestDags()
            .numbers("read", PRODUCERS, PER_TASK, KEYS)
            .aggregation("relay", 2)
            .operator("sum", TestFunctions.SUM, CONSUMERS)
            .operator("collect", TestFunctions.COLLECT, CONSUMERS)
            .pushed("read", "relay", "main", 2, PARTITIONS)
            .aggregated("relay", "main", "sum", CONSUMERS)
            .oneToOne("sum", "collect")
            .build();
    IRDag sampled =
        fine(dag, "e1")
            .apply(new SetEdgeProperty("e0", new Partitioner.Hash(MULTIPLIER)))
            .apply(InsertSampling.of("e0", Set.of("read"), List.of(0, 3), "sizes", "Test"));
    redraw =
        now ->
            now.apply(
                new SetEdgeProperty(
                    "e1",
                    set(
                        List.of(
                            List.of(range(2, 9)),
                            List.of(range(0, 2)),
                            List.of(range(9, PARTITIONS))))));
    JobResult result = run(sampled, 2);
    assertThat(collected(result)).isEqualTo(sums());
    assertThat(result.redraws().get(0).shuffles().get(0).after())
        .isEqualTo(result.readBytes().get("e1"));
  }

  /** Left and right producers, each in a stage of its own; the right side of every key is small. */
  private static IRDag twoSides() {
    IRDag dag =
        new TestDags()
            .numbers("left", PRODUCERS, PER_TASK, KEYS)
            .numbers("right", 1, KEYS, KEYS)
            .operator("sum", TestFunctions.SUM, CONSUMERS)
            .operator("collect", TestFunctions.COLLECT, CONSUMERS)
            .grouped("left", "sum", CONSUMERS)
            .grouped("right", "sum", CONSUMERS)
            .oneToOne("sum", "collect")
            .build();
    return fine(dag, "e0", "e1")
        .apply(new SetEdgeProperty("e0", Divisibility.DIVISIBLE))
        .apply(
            new InsertSampling(
                List.of("e0", "e1"),
                List.of(
                    new SampledStage(Set.of("left"), List.of(0, 3), true),
                    new SampledStage(Set.of("right"), List.of(0), true)),
                "sizes",
                "Test"));
  }

  @Test
  void aDividedPartitionIsReadInSharesAndTheOtherSideByEachOfThem() throws Exception {
    List<List<HashRange>> perTask = new ArrayList<>();
    for (int task = 0; task < CONSUMERS; task++) {
      perTask.add(List.of(range(0, 1), range(1, 2)));
    }
    perTask.set(2, List.of(range(0, 1), range(1, 2), range(2, PARTITIONS)));
    List<Integer> all = List.of(2, 0, 1);
    redraw =
        dag ->
            dag.apply(
                    new SetEdgeProperty(
                        "e0",
                        set(
                            perTask,
                            new PartitionDivision(0, all, false),
                            new PartitionDivision(1, all, false))))
                .apply(
                    new SetEdgeProperty(
                        "e1",
                        set(
                            perTask,
                            new PartitionDivision(0, all, true),
                            new PartitionDivision(1, all, true))));
    JobResult result = run(twoSides(), 2);
    Map<String, Long> total =
        collected(result).stream()
            .map(line -> line.split("=", 2))
            .collect(
                Collectors.toMap(parts -> parts[0], parts -> Long.parseLong(parts[1]), Long::sum));
    Map<String, Long> tasks =
        collected(result).stream()
            .map(line -> line.split("=", 2)[0])
            .collect(Collectors.groupingBy(key -> key, Collectors.counting()));
    assertThat(total.keySet()).hasSize(KEYS);
    assertThat(tasks.values()).contains((long) CONSUMERS).contains(1L);
    Redraw.Shuffle divided =
        result.redraws().get(0).shuffles().stream()
            .filter(shuffle -> shuffle.edge().equals("e0"))
            .findFirst()
            .orElseThrow();
    assertThat(divided.partitions()).isEqualTo(PARTITIONS);
    assertThat(divided.hot().stream().map(RangesRedrawn.HotPartition::partition))
        .containsExactly(0, 1);
    assertThat(divided.hot()).allMatch(hot -> hot.dividedInto() == CONSUMERS);
    // Each element of the left side once, and each of the right side once for each share.
    long left = (long) PRODUCERS * PER_TASK / KEYS;
    total.forEach((key, sum) -> assertThat(sum).isEqualTo(left + tasks.get(key)));
  }

  @Test
  void anAccumulatorThatIsDividedIsCombinedAgain() throws Exception {
    IRVertex whole =
        OperatorVertex.of("sum", "sum", TestFunctions.spec(TestFunctions.SUM, "whole"))
            .withCombine(
                new CombineSplit(
                    TestFunctions.spec(TestFunctions.SUM, "whole"),
                    FunctionSpec.of(TestFunctions.PARTIAL_SUM),
                    FunctionSpec.of(TestFunctions.SUM),
                    TestFunctions.STRING,
                    TestFunctions.STRING))
            .withProperties(
                OperatorVertex.of("x", "x", TestFunctions.STRING)
                    .properties()
                    .with(new Parallelism(CONSUMERS)));
    IRDag dag =
        new TestDags()
            .numbers("read", PRODUCERS, PER_TASK, KEYS)
            .vertex(whole)
            .operator("collect", TestFunctions.COLLECT, CONSUMERS)
            .grouped("read", "sum", CONSUMERS)
            .oneToOne("sum", "collect")
            .build();
    IRDag combined = fine(dag, "e0").apply(new InsertCombiner("sum", "Test"));
    IRDag sampled =
        fine(combined.apply(new InsertRecombiner("sum", "Test")), "sum-recombined")
            .apply(new SetEdgeProperty("sum-recombined", new Encoder(TestFunctions.STRING)))
            .apply(new SetEdgeProperty("sum-recombined", new Decoder(TestFunctions.STRING)))
            .apply(
                InsertSampling.of(
                    "e0", Set.of("read", "sum-combiner-0"), List.of(0, 3), "sizes", "Test"));
    redraw =
        now -> {
          PartitionSet shares =
              set(
                  List.of(
                      List.of(range(0, 1), range(5, 6)),
                      List.of(range(0, 1), range(5, 6)),
                      List.of(range(0, 1), range(5, 6))),
                  new PartitionDivision(0, List.of(0, 1, 2), false),
                  new PartitionDivision(5, List.of(2, 1, 0), false));
          PartitionSet others =
              set(
                  List.of(
                      List.of(range(1, 4)),
                      List.of(range(4, 5), range(6, 8)),
                      List.of(range(8, PARTITIONS))));
          PartitionSet cover =
              set(
                  List.of(
                      List.of(range(0, 4)), List.of(range(4, 8)), List.of(range(8, PARTITIONS))));
          return now.apply(new SetEdgeProperty("e0", others))
              .apply(new SetEdgeProperty("e0-divided", shares))
              .apply(new SetEdgeProperty("sum-recombined", cover));
        };
    JobResult result = run(sampled, 2);
    assertThat(collected(result)).isEqualTo(sums());
    assertThat(result.readBytes().get("e0-divided").stream().mapToLong(b -> b).sum()).isPositive();
    // The six accumulators of a key have become one for each of the three shares.
    assertThat(result.readBytes().get("sum-recombined").stream().mapToLong(b -> b).sum())
        .isLessThan(result.readBytes().get("e0-divided").stream().mapToLong(b -> b).sum());
  }
}
