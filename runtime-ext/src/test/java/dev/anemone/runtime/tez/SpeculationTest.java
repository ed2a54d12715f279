// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.edit.SetVertexProperty;
import dev.anemone.ir.property.ClonedScheduling;
import dev.anemone.runtime.engine.Deployment;
import dev.anemone.runtime.engine.JobEngineOptions;
import dev.anemone.runtime.engine.JobResult;
import dev.anemone.runtime.engine.JobState;
import dev.anemone.runtime.testing.TestDags;
import dev.anemone.runtime.testing.TestFunctions;
import dev.anemone.runtime.tez.client.TezEngine;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tasks that read links say how far they are, so that only slow ones get a second attempt. */
@Tag("slow")
@Timeout(120)
class SpeculationTest {

  private static final int TASKS = 4;
  private static final int KEYS = 800;

  /** All but a few of the elements that a task gets which are dealt out. */
  private static final int NEAR_END = KEYS - 10;

  /** Six times what a task takes otherwise. */
  private static final Duration STANDSTILL = Duration.ofSeconds(12);

  @TempDir static Path temp;

  /** The tasks of which a second attempt has begun. */
  private final Set<Integer> again = ConcurrentHashMap.newKeySet();

  @AfterEach
  void forgetHooks() {
    TestFunctions.HOOKS.clear();
  }

  /** How long the first attempt of a task waits, in ms, when it gets a key. */
  private interface Pace {
    long millis(int task, long count);
  }

  /** Tasks that sum numbers by keys, and have the pace of the hook. */
  private static IRDag sums() {
    return new TestDags()
        .numbers("read", TASKS, KEYS, KEYS)
        .operator("sum", TestFunctions.SUM, TASKS)
        .operator("pace", TestFunctions.spec(TestFunctions.HOOK, "pace"), TASKS)
        .operator("collect", TestFunctions.COLLECT, TASKS)
        .grouped("read", "sum", TASKS)
        .oneToOne("sum", "pace")
        .oneToOne("pace", "collect")
        .build();
  }

  /** Tasks that are dealt numbers, which they have all read at once, and have that pace. */
  private static IRDag dealt() {
    return new TestDags()
        .numbers("read", TASKS, KEYS, KEYS)
        .operator("pace", TestFunctions.spec(TestFunctions.HOOK, "pace"), TASKS)
        .operator("collect", TestFunctions.COLLECT, TASKS)
        .spread("read", "pace")
        .oneToOne("pace", "collect")
        .build();
  }

  private JobResult run(IRDag paced, Pace pace) throws InterruptedException {
    TestFunctions.HOOKS.put(
        "pace",
        (task, count) -> {
          if (task.attempt() > 0) {
            again.add(task.taskIndex());
          } else {
            pause(pace.millis(task.taskIndex(), count));
          }
        });
    IRDag dag = paced;
    for (IRVertex vertex : paced.vertices()) {
      if (vertex instanceof OperatorVertex) {
        dag = dag.apply(new SetVertexProperty(vertex.id(), new ClonedScheduling(1.0, 0.5)));
      }
    }
    JobResult result =
        TezEngine.of(
                new JobEngineOptions(
                    TASKS,
                    3,
                    JobEngineOptions.MIN_OFF_HEAP_BYTES,
                    temp,
                    new Deployment.InProcess()))
            .submit(TestDags.job(dag))
            .await(Optional.of(Duration.ofSeconds(100)))
            .orElseThrow();
    assertThat(result.failure()).isEmpty();
    assertThat(result.state()).isEqualTo(JobState.SUCCEEDED);
    return result;
  }

  /** Takes its time, as work would that needs no processor. */
  private static void pause(long millis) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }

  @Test
  void tasksOfOneSpeedAreNotTriedTwice() throws Exception {
    run(sums(), (task, count) -> 40);
    assertThat(again).isEmpty();
  }

  @Test
  void aTaskThatIsMuchSlowerIsOvertaken() throws Exception {
    run(sums(), (task, count) -> task == 3 ? 400 : 10);
    assertThat(again).containsExactly(3);
  }

  @Test
  void aTaskThatStandsStillNearItsEndIsOvertaken() throws Exception {
    run(dealt(), (task, count) -> task == 3 && count == NEAR_END ? STANDSTILL.toMillis() : 2);
    assertThat(again).containsExactly(3);
  }
}
