// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.runtime.engine.Deployment;
import dev.anemone.runtime.engine.JobEngineOptions;
import dev.anemone.runtime.engine.JobResult;
import dev.anemone.runtime.engine.JobState;
import dev.anemone.runtime.engine.RunningJob;
import dev.anemone.runtime.testing.TestDags;
import dev.anemone.runtime.testing.TestFunctions;
import dev.anemone.runtime.tez.client.TezEngine;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Jobs that run in one JVM at the same time share its memory, and none fails for that. */
@Tag("slow")
@Timeout(120)
class SideBySideTest {

  private static final int TASKS = 4;
  private static final int PER_TASK = 100_000;
  private static final int KEYS = 50_000;
  private static final long LEAST = JobEngineOptions.MIN_OFF_HEAP_BYTES;

  @TempDir static Path temp;

  @AfterEach
  void forgetHooks() {
    TestFunctions.HOOKS.clear();
  }

  private static TestDags reading() {
    TestFunctions.HOOKS.putIfAbsent("pass", (task, count) -> {});
    return new TestDags()
        .numbers("read", TASKS, PER_TASK, KEYS)
        .operator("pass", TestFunctions.spec(TestFunctions.HOOK, "pass"), TASKS)
        .oneToOne("read", "pass");
  }

  private static TestDags counting(TestDags dag) {
    return dag.operator("sum", TestFunctions.SUM, TASKS)
        .operator("collect", TestFunctions.COLLECT, TASKS)
        .oneToOne("sum", "collect");
  }

  private static IRDag pulling() {
    return counting(reading()).grouped("pass", "sum", TASKS).build();
  }

  private static IRDag pushing() {
    return counting(reading())
        .aggregation("relay", 2)
        .pushed("pass", "relay", "main", 2, TASKS)
        .aggregated("relay", "main", "sum", TASKS)
        .build();
  }

  private static RunningJob submit(IRDag dag, long offHeapBytes) {
    return TezEngine.of(new JobEngineOptions(2, 1, offHeapBytes, temp, new Deployment.InProcess()))
        .submit(TestDags.job(dag));
  }

  private static JobResult end(RunningJob job) throws InterruptedException {
    return job.await(Optional.of(Duration.ofSeconds(100))).orElseThrow();
  }

  private static void assertRight(JobResult result) {
    assertThat(result.failure()).isEmpty();
    assertThat(result.state()).isEqualTo(JobState.SUCCEEDED);
    assertThat(
            result.reports().stream()
                .flatMap(r -> new String(r.report(), StandardCharsets.UTF_8).lines())
                .mapToInt(line -> Integer.parseInt(line.substring(line.indexOf('=') + 1)))
                .sum())
        .isEqualTo(TASKS * PER_TASK);
  }

  @Test
  void moreJobsThanHaveRoomAllEnd() throws Exception {
    List<RunningJob> jobs = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      jobs.add(submit(pulling(), LEAST));
      jobs.add(submit(pushing(), LEAST));
    }
    for (RunningJob job : jobs) {
      assertRight(end(job));
    }
  }

  @Test
  void jobsThatWantMoreAndLessShareTheMemory() throws Exception {
    RunningJob small = submit(pushing(), LEAST);
    RunningJob large = submit(pushing(), 3 * LEAST);
    RunningJob medium = submit(pulling(), 2 * LEAST);
    assertRight(end(small));
    assertRight(end(large));
    assertRight(end(medium));
  }

  @Test
  void aJobThatWaitsForMemoryCanBeCancelled() throws Exception {
    CountDownLatch goOn = new CountDownLatch(1);
    CountDownLatch begun = new CountDownLatch(1);
    TestFunctions.HOOKS.put(
        "pass",
        (task, count) -> {
          begun.countDown();
          goOn.await();
        });
    List<RunningJob> running = new ArrayList<>();
    try {
      running.add(submit(pushing(), LEAST));
      begun.await();
      RunningJob waiting = submit(pushing(), LEAST);
      running.add(waiting);
      waiting.cancel();
      assertThat(end(waiting).state()).isEqualTo(JobState.CANCELLED);
    } finally {
      goOn.countDown();
    }
    assertRight(end(running.get(0)));
  }
}
