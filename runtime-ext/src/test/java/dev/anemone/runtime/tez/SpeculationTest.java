// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
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
import java.util.List;
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

  @TempDir static Path temp;

  /** The tasks of which a second attempt has begun. */
  private final Set<Integer> again = ConcurrentHashMap.newKeySet();

  @AfterEach
  void forgetHooks() {
    TestFunctions.HOOKS.clear();
  }

  /** A stage whose tasks take so many ms for each of their keys. */
  private JobResult run(long[] millisPerKey) throws InterruptedException {
    TestFunctions.HOOKS.put(
        "pace",
        (task, count) -> {
          if (task.attempt() > 0) {
            again.add(task.taskIndex());
          } else {
            pause(millisPerKey[task.taskIndex()]);
          }
        });
    IRDag dag =
        new TestDags()
            .numbers("read", TASKS, KEYS, KEYS)
            .operator("sum", TestFunctions.SUM, TASKS)
            .operator("pace", TestFunctions.spec(TestFunctions.HOOK, "pace"), TASKS)
            .operator("collect", TestFunctions.COLLECT, TASKS)
            .grouped("read", "sum", TASKS)
            .oneToOne("sum", "pace")
            .oneToOne("pace", "collect")
            .build();
    for (String vertex : List.of("sum", "pace", "collect")) {
      dag = dag.apply(new SetVertexProperty(vertex, new ClonedScheduling(1.0, 0.5)));
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
    run(new long[] {40, 40, 40, 40});
    assertThat(again).isEmpty();
  }

  @Test
  void aTaskThatIsMuchSlowerIsOvertaken() throws Exception {
    run(new long[] {10, 10, 10, 400});
    assertThat(again).containsExactly(3);
  }
}
