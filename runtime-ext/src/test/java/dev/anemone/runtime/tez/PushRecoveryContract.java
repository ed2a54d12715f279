// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.edit.SetVertexProperty;
import dev.anemone.ir.property.ClonedScheduling;
import dev.anemone.rdma.transport.TransportUnavailableException;
import dev.anemone.runtime.engine.Deployment;
import dev.anemone.runtime.engine.EdgeCounters;
import dev.anemone.runtime.engine.JobEngineOptions;
import dev.anemone.runtime.engine.JobResult;
import dev.anemone.runtime.engine.JobState;
import dev.anemone.runtime.engine.StoreOptions;
import dev.anemone.runtime.engine.TransportOptions;
import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.push.PushWires;
import dev.anemone.runtime.push.protocol.JobSecret;
import dev.anemone.runtime.push.wires.InstalledWires;
import dev.anemone.runtime.stage.TaskWaits;
import dev.anemone.runtime.testing.TestDags;
import dev.anemone.runtime.testing.TestFunctions;
import dev.anemone.runtime.tez.client.TezEngine;
import dev.anemone.runtime.transfer.Aggregation;
import dev.anemone.testing.Requirement;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What producers and aggregation tasks can suffer, whatever pushes between them. */
@Timeout(120)
abstract class PushRecoveryContract {

  static final int PRODUCERS = 4;
  static final int CONSUMERS = 3;
  static final int PER_TASK = 250_000;
  static final int KEYS = 100_000;

  /** Little enough that producers fill their memory several times. */
  static final long OFF_HEAP_BYTES = 16L << 20;

  static final TestFunctions.Hook NOTHING = (task, count) -> {};

  @TempDir static Path temp;

  /** What pushes. */
  abstract String wire();

  @BeforeEach
  void skipWhereItIsNotThere() throws IOException {
    try (PushWires opened =
        InstalledWires.open(wire(), new PagePool(PagePool.PAGE_BYTES), JobSecret.random())) {
      assertThat(opened).isNotNull();
    } catch (TransportUnavailableException e) {
      throw Requirement.UCX.missing(e.getMessage());
    }
  }

  @AfterEach
  void forgetHooks() {
    TestFunctions.HOOKS.clear();
  }

  JobResult run(IRDag dag, int slots) throws InterruptedException {
    return run(dag, slots, temp);
  }

  JobResult run(IRDag dag, int slots, Path directory) throws InterruptedException {
    return TezEngine.of(
            new JobEngineOptions(
                slots,
                3,
                OFF_HEAP_BYTES,
                0,
                directory,
                new Deployment.InProcess(),
                StoreOptions.NONE,
                new TransportOptions(wire(), false),
                JobEngineOptions.JOB_ATTEMPTS,
                TaskWaits.DEFAULT,
                Optional.empty()))
        .submit(TestDags.job(dag))
        .await(Optional.of(Duration.ofSeconds(100)))
        .orElseThrow();
  }

  /** Producers with a hook push to an aggregation; its consumers have a hook too. */
  static IRDag pushing() {
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

  static void hooks(TestFunctions.Hook produce, TestFunctions.Hook consume) {
    TestFunctions.HOOKS.put("produce", produce);
    TestFunctions.HOOKS.put("consume", consume);
  }

  /** Checks that the job succeeded and every number was counted exactly once. */
  static Map<String, EdgeCounters> right(JobResult result) {
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

  static EdgeCounters edge(Map<String, EdgeCounters> edges, String id) {
    assertThat(edges).containsKey(id);
    return edges.get(id);
  }

  /** Producers go on when they have somebody to push to. */
  static TestFunctions.Hook whenAnAggregationRuns() {
    return (task, count) -> {
      while (count == 0 && aggregations().isEmpty()) {
        Thread.onSpinWait();
      }
    };
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
    assertThat(edge(right(run(pushing(), 2)), "e1").pushed().pushedBytes()).isPositive();
    assertThat(failures).hasValue(2);
  }

  /**
   * Three attempts have pushed more than the aggregation has memory for before one succeeds: what
   * is written of the first of them is left out when it fails.
   */
  @Test
  void anAttemptThatFailsWhenItsBatchesAreWrittenDoesNotCount() throws Exception {
    AtomicInteger failures = new AtomicInteger();
    CountDownLatch others = new CountDownLatch(1);
    hooks(
        (task, count) -> {
          whenAnAggregationRuns().at(task, count);
          if (task.taskIndex() > 1 || count < PER_TASK - 10) {
            return;
          }
          if (task.attempt() > 0) {
            others.countDown();
          } else if (count == PER_TASK - 10) {
            if (task.taskIndex() == 0) {
              others.await();
            }
            failures.incrementAndGet();
            throw new IllegalStateException("planned failure");
          }
        },
        NOTHING);
    Map<String, EdgeCounters> edges = right(run(pushing(), 2));
    EdgeCounters.Pushed pushed = edge(edges, "e1").pushed();
    assertThat(pushed.fallenBackBytes()).isLessThan(pushed.pushedBytes() / 20);
    assertThat(edge(edges, "e2").written().storedBytes())
        .as("what was written, with what is left out")
        .isGreaterThan(pushed.pushedBytes() + pushed.fallenBackBytes());
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
  static int interruptAggregations() {
    List<Thread> gathering = aggregations();
    gathering.forEach(Thread::interrupt);
    return gathering.size();
  }

  static List<Thread> aggregations() {
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

  static void waitToBeEnded() throws InterruptedException {
    Object nobodyNotifies = new Object();
    synchronized (nobodyNotifies) {
      while (true) {
        nobodyNotifies.wait();
      }
    }
  }

  @Test
  void whatIsNotPushedIsPulled() throws Exception {
    hooks(whenAnAggregationRuns(), NOTHING);
    EdgeCounters pushed = edge(right(run(manyProducers(), 2)), "e1");
    assertThat(pushed.pushed().pushedBytes()).isPositive();
    assertThat(pushed.pushed().pushedBytes() + pushed.pushed().fallenBackBytes())
        .isEqualTo(pushed.written().storedBytes());
  }

  /** More producers than slots, so that most of them find the aggregation running. */
  static IRDag manyProducers() {
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
}
