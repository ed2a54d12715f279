// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.runtime.engine.Deployment;
import dev.anemone.runtime.engine.JobEngineOptions;
import dev.anemone.runtime.engine.JobResult;
import dev.anemone.runtime.engine.JobState;
import dev.anemone.runtime.engine.StoreOptions;
import dev.anemone.runtime.engine.TransportOptions;
import dev.anemone.runtime.stage.TaskWaits;
import dev.anemone.runtime.testing.TestDags;
import dev.anemone.runtime.testing.TestFunctions;
import dev.anemone.runtime.tez.client.TezEngine;
import dev.anemone.runtime.transfer.lineage.MixedVersionsException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Steps that make something random in front of a shuffle whose blocks are lost: no element arrives
 * twice, and none is missing.
 */
@Timeout(120)
class RandomOutputTest {

  private static final int PRODUCERS = 3;
  private static final int CONSUMERS = 4;
  private static final int ELEMENTS = 3_000;

  @TempDir static Path temp;

  private final AtomicInteger firstAttempts = new AtomicInteger();

  @BeforeEach
  void countProducers() {
    TestFunctions.HOOKS.put(
        "produce",
        (task, count) -> {
          if (count == 0 && task.attempt() == 0) {
            firstAttempts.incrementAndGet();
          }
        });
  }

  @AfterEach
  void forgetHooks() {
    TestFunctions.HOOKS.clear();
  }

  private static TestDags producers(String make) {
    return new TestDags()
        .numbers("read", PRODUCERS, ELEMENTS / PRODUCERS, ELEMENTS)
        .operator("produce", TestFunctions.spec(TestFunctions.HOOK, "produce"), PRODUCERS)
        .operator("make", TestFunctions.spec(make, "passing"), PRODUCERS)
        .oneToOne("read", "produce")
        .oneToOne("produce", "make");
  }

  private static TestDags consumers(TestDags dag) {
    return dag.operator("sum", TestFunctions.SUM, CONSUMERS)
        .operator("consume", TestFunctions.spec(TestFunctions.HOOK, "consume"), CONSUMERS)
        .operator("collect", TestFunctions.COLLECT, CONSUMERS)
        .oneToOne("sum", "consume")
        .oneToOne("consume", "collect");
  }

  private static IRDag pulling(String make) {
    return consumers(producers(make)).grouped("make", "sum", CONSUMERS).build();
  }

  private static IRDag pushing(String make) {
    return consumers(producers(make))
        .aggregation("relay", 2)
        .pushed("make", "relay", "main", 2, CONSUMERS)
        .aggregated("relay", "main", "sum", CONSUMERS)
        .build();
  }

  private static JobResult run(IRDag dag, int slots, int jobAttempts) throws InterruptedException {
    return TezEngine.of(
            new JobEngineOptions(
                slots,
                3,
                JobEngineOptions.MIN_OFF_HEAP_BYTES,
                0,
                temp,
                new Deployment.InProcess(),
                StoreOptions.NONE,
                TransportOptions.DEFAULT,
                jobAttempts,
                TaskWaits.DEFAULT,
                Optional.empty()))
        .submit(TestDags.job(dag))
        .await(Optional.of(Duration.ofSeconds(100)))
        .orElseThrow();
  }

  /** What consumers have collected, without what is random in it. */
  private static List<String> collected(JobResult result) {
    assertThat(result.failure()).isEmpty();
    assertThat(result.state()).isEqualTo(JobState.SUCCEEDED);
    return result.reports().stream()
        .flatMap(report -> new String(report.report(), StandardCharsets.UTF_8).lines())
        .map(line -> line.substring(line.indexOf('/') + 1))
        .toList();
  }

  private static void assertAllOnce(JobResult result) {
    assertThat(collected(result))
        .containsExactlyInAnyOrderElementsOf(
            IntStream.range(0, ELEMENTS).mapToObj(i -> "key" + i + "=1").toList());
  }

  /** The consumer that comes first deletes all blocks, once, when it has read its part. */
  private static void loseBlocks() {
    AtomicInteger times = new AtomicInteger();
    TestFunctions.HOOKS.put(
        "consume",
        (task, count) -> {
          if (times.compareAndSet(0, 1)) {
            deleteBlocks();
          }
        });
  }

  private static void deleteBlocks() {
    try (Stream<Path> files = Files.walk(temp)) {
      for (Path block : files.filter(file -> file.endsWith("file.out")).toList()) {
        Files.delete(block);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aJobWhoseConsumersHaveReadDifferentVersionsIsRunAgain() throws Exception {
    loseBlocks();
    assertAllOnce(run(pulling(TestFunctions.RANDOM_KEY), 1, 2));
    assertThat(firstAttempts).hasValue(2 * PRODUCERS);
  }

  @Test
  void aggregationTasksThatAreLostAreVersionsToo() throws Exception {
    loseBlocks();
    assertAllOnce(run(pushing(TestFunctions.RANDOM_KEY), 1, 2));
    assertThat(firstAttempts).hasValue(2 * PRODUCERS);
  }

  @Test
  void aJobThatMayNotBeRunAgainFailsAndSaysWhy() throws Exception {
    loseBlocks();
    JobResult result = run(pulling(TestFunctions.RANDOM_KEY), 1, 1);
    assertThat(result.state()).isEqualTo(JobState.FAILED);
    assertThat(result.failure().orElseThrow())
        .isInstanceOf(MixedVersionsException.class)
        .hasMessageContaining("have read different versions");
    assertThat(result.failureSite().orElseThrow().attempt().orElseThrow()).startsWith("task ");
  }

  @Test
  void whatIsMadeAgainAsItWasIsGoodEnough() throws Exception {
    TestFunctions.HOOKS.put("passing", (task, count) -> {});
    loseBlocks();
    assertAllOnce(run(pulling(TestFunctions.HOOK), 1, 1));
    assertThat(firstAttempts).hasValue(PRODUCERS);
  }

  @Test
  void aConsumerThatStillRunsReadsTheNewVersion() throws Exception {
    CountDownLatch readAgain = new CountDownLatch(1);
    AtomicInteger waiting = new AtomicInteger();
    TestFunctions.HOOKS.put(
        "consume",
        (task, count) -> {
          if (count > 0) {
            return;
          }
          if (waiting.compareAndSet(0, 1)) {
            deleteBlocks();
            readAgain.await();
          } else {
            readAgain.countDown();
          }
        });
    assertAllOnce(run(pulling(TestFunctions.RANDOM_KEY), 2, 3));
  }
}
