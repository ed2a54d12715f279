// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.edit.SetEdgeProperty;
import dev.anemone.ir.edit.SetVertexProperty;
import dev.anemone.ir.property.Parallelism;
import dev.anemone.ir.property.SharedOutput;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.skew.CoalescingRunTimePass;
import dev.anemone.runtime.engine.Deployment;
import dev.anemone.runtime.engine.Job;
import dev.anemone.runtime.engine.JobEngineOptions;
import dev.anemone.runtime.engine.JobResult;
import dev.anemone.runtime.engine.JobState;
import dev.anemone.runtime.engine.Redraw;
import dev.anemone.runtime.testing.TestDags;
import dev.anemone.runtime.testing.TestFunctions;
import dev.anemone.runtime.tez.client.TezEngine;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Stages that turn out to read little run as fewer tasks. */
@Timeout(60)
public class CoalescingEngineTest {

  private static final int PRODUCERS = 3;
  private static final int CONSUMERS = 6;
  private static final int PER_TASK = 100;
  private static final int KEYS = 20;

  @TempDir static Path temp;

  @AfterEach
  void forget() {
    TestFunctions.HOOKS.clear();
  }

  private static JobResult run(IRDag dag, String minBytes) throws InterruptedException {
    Job job =
        new Job(
            "coalescing",
            dag,
            List.of(new CoalescingRunTimePass()),
            PassContext.of(2, 1 << 20, Map.of("minBytesPerShuffleTask", minBytes)),
            new byte[0],
            CoalescingEngineTest.class.getClassLoader());
    JobResult result =
        TezEngine.of(new JobEngineOptions(2, 3, 64L << 20, temp, new Deployment.InProcess()))
            .submit(job)
            .await(Optional.of(Duration.ofSeconds(50)))
            .orElseThrow();
    assertThat(result.failure()).isEmpty();
    assertThat(result.state()).isEqualTo(JobState.SUCCEEDED);
    return result;
  }

  private static List<String> collected(JobResult result) {
    return result.reports().stream()
        .flatMap(r -> Stream.of(new String(r.report(), StandardCharsets.UTF_8).split("\n")))
        .filter(line -> !line.isEmpty())
        .sorted()
        .toList();
  }

  private static List<String> sums(int each) {
    return IntStream.range(0, KEYS).mapToObj(key -> "key" + key + "=" + each).sorted().toList();
  }

  private static IRDag marked(IRDag dag, String messageId, String... vertices) {
    IRDag result = dag;
    for (String vertex : vertices) {
      result = result.apply(new SetVertexProperty(vertex, new Parallelism.Coalescing(messageId)));
    }
    return result;
  }

  private static TestDags oneShuffle() {
    return new TestDags()
        .numbers("read", PRODUCERS, PER_TASK, KEYS)
        .operator("sum", TestFunctions.SUM, CONSUMERS)
        .operator("collect", TestFunctions.COLLECT, CONSUMERS)
        .grouped("read", "sum", CONSUMERS)
        .oneToOne("sum", "collect");
  }

  @Test
  void littleDataIsReadByOneTask() throws Exception {
    JobResult result = run(marked(oneShuffle().build(), "sizes", "sum", "collect"), "1MB");
    assertThat(collected(result)).isEqualTo(sums(PRODUCERS * PER_TASK / KEYS));
    assertThat(result.readBytes().get("e0")).hasSize(1);
    Redraw redraw = result.redraws().get(0);
    assertThat(redraw.sampledTasks()).isEqualTo(PRODUCERS);
    assertThat(redraw.heldTasks()).isZero();
    assertThat(redraw.notes())
        .containsExactly(
            "6 tasks of sum become 1: they read " + result.readBytes().get("e0").get(0) + " bytes");
  }

  @Test
  void enoughDataForTwoTasksIsReadByTwo() throws Exception {
    long all =
        run(oneShuffle().build(), "1MB").readBytes().get("e0").stream().mapToLong(b -> b).sum();
    String half = Long.toString(all / 2);
    JobResult result = run(marked(oneShuffle().build(), "sizes", "sum", "collect"), half);
    assertThat(collected(result)).isEqualTo(sums(PRODUCERS * PER_TASK / KEYS));
    assertThat(result.readBytes().get("e0")).hasSize(2).allMatch(bytes -> bytes > all / 4);
  }

  @Test
  void muchDataIsReadByAllTasks() throws Exception {
    JobResult result = run(marked(oneShuffle().build(), "sizes", "sum", "collect"), "1");
    assertThat(collected(result)).isEqualTo(sums(PRODUCERS * PER_TASK / KEYS));
    assertThat(result.readBytes().get("e0")).hasSize(CONSUMERS);
  }

  @Test
  void bothSidesOfAJoinGetTheSameRanges() throws Exception {
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
    JobResult result = run(marked(dag, "sizes", "sum", "collect"), "1KB");
    assertThat(collected(result)).isEqualTo(sums(PRODUCERS * PER_TASK / KEYS + 1));
    assertThat(result.readBytes().get("e0")).hasSize(2);
    assertThat(result.readBytes().get("e1")).hasSize(2);
  }

  @Test
  void aStageThatHasLostTasksIsMeasuredForTheNext() throws Exception {
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
    IRDag marked = marked(marked(dag, "first", "first"), "second", "second", "collect");
    JobResult result = run(marked, "1MB");
    assertThat(collected(result)).isEqualTo(sums(PRODUCERS * PER_TASK / KEYS));
    assertThat(result.readBytes().get("e0")).hasSize(1);
    assertThat(result.readBytes().get("e1")).hasSize(1);
    assertThat(result.redraws()).extracting(Redraw::sampledTasks).containsExactly(PRODUCERS, 1);
  }

  @Test
  void overAnAggregationWhatProducersPushIsMeasured() throws Exception {
    IRDag dag =
        new TestDags()
            .numbers("read", PRODUCERS, PER_TASK, KEYS)
            .aggregation("relay", 2)
            .operator("sum", TestFunctions.SUM, CONSUMERS)
            .operator("collect", TestFunctions.COLLECT, CONSUMERS)
            .pushed("read", "relay", "main", 2, CONSUMERS)
            .aggregated("relay", "main", "sum", CONSUMERS)
            .oneToOne("sum", "collect")
            .build();
    JobResult result = run(marked(dag, "sizes", "sum", "collect"), "1MB");
    assertThat(collected(result)).isEqualTo(sums(PRODUCERS * PER_TASK / KEYS));
    assertThat(result.readBytes().get("e1")).hasSize(1);
  }

  @Test
  void whatIsWrittenOnceForTwoStagesIsMeasuredForEach() throws Exception {
    IRDag dag =
        new TestDags()
            .numbers("read", PRODUCERS, PER_TASK, KEYS)
            .operator("one", TestFunctions.SUM, CONSUMERS)
            .operator("collect1", TestFunctions.COLLECT, CONSUMERS)
            .operator("two", TestFunctions.SUM, CONSUMERS)
            .operator("collect2", TestFunctions.COLLECT, CONSUMERS)
            .grouped("read", "one", CONSUMERS)
            .grouped("read", "two", CONSUMERS)
            .oneToOne("one", "collect1")
            .oneToOne("two", "collect2")
            .build()
            .apply(new SetEdgeProperty("e1", new SharedOutput("e0")));
    IRDag marked = marked(marked(dag, "sizes-1", "one", "collect1"), "sizes-2", "two", "collect2");
    JobResult result = run(marked, "1MB");
    List<String> each = sums(PRODUCERS * PER_TASK / KEYS);
    assertThat(collected(result))
        .isEqualTo(Stream.concat(each.stream(), each.stream()).sorted().toList());
    assertThat(result.readBytes().get("e0")).hasSize(1);
    assertThat(result.readBytes().get("e1")).hasSize(1);
  }

  @Test
  void aProducerThatFailsIsMeasuredWhenItIsRunAgain() throws Exception {
    TestFunctions.HOOKS.put(
        "produce",
        (task, count) -> {
          if (task.taskIndex() == 1 && task.attempt() == 0 && count == PER_TASK - 1) {
            throw new IllegalStateException("planned failure");
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
    JobResult result = run(marked(dag, "sizes", "sum", "collect"), "1MB");
    assertThat(collected(result)).isEqualTo(sums(PRODUCERS * PER_TASK / KEYS));
    assertThat(result.readBytes().get("e1")).hasSize(1);
  }
}
