// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.edit.SetEdgeProperty;
import dev.anemone.ir.edit.SetVertexProperty;
import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.ir.property.ClonedScheduling;
import dev.anemone.ir.property.Compression;
import dev.anemone.ir.property.SharedOutput;
import dev.anemone.runtime.engine.Deployment;
import dev.anemone.runtime.engine.JobEngineOptions;
import dev.anemone.runtime.engine.JobResult;
import dev.anemone.runtime.engine.JobState;
import dev.anemone.runtime.engine.RunningJob;
import dev.anemone.runtime.testing.TestDags;
import dev.anemone.runtime.testing.TestFunctions;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class TezEngineTest {

  @TempDir static Path temp;

  private static RunningJob submit(IRDag dag) {
    return TezEngine.of(new JobEngineOptions(2, 3, 64L << 20, temp, new Deployment.InProcess()))
        .submit(TestDags.job(dag));
  }

  private static JobResult run(IRDag dag) throws InterruptedException {
    return submit(dag).await(Optional.of(Duration.ofSeconds(50))).orElseThrow();
  }

  /** What the collecting operators of a job that must succeed received, sorted. */
  private static List<String> collected(IRDag dag) throws InterruptedException {
    return collected(run(dag));
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

  @Test
  void readsPartsThatHoldMuchDataThemselves() throws Exception {
    assertThat(
            collected(
                new TestDags()
                    .source("read", "a ".repeat(100_000), "b", "b ".repeat(50_000))
                    .operator("split", TestFunctions.WORDS, 3)
                    .operator("sum", TestFunctions.SUM, 2)
                    .operator("collect", TestFunctions.COLLECT, 2)
                    .oneToOne("read", "split")
                    .grouped("split", "sum", 2)
                    .oneToOne("sum", "collect")
                    .build()))
        .containsExactly("a=100000", "b=50001");
  }

  /** Beyond 123 MB, Tez's client hands a plan on in a file, if it is not told otherwise. */
  @Test
  void runsAPlanThatIsTooLargeForAMessageOfHadoops() throws Exception {
    assertThat(
            collected(
                new TestDags()
                    .source("read", "a", "b")
                    .operator(
                        "collect", FunctionSpec.of(TestFunctions.COLLECT, new byte[124 << 20]), 2)
                    .oneToOne("read", "collect")
                    .build()))
        .containsExactly("a", "b");
  }

  @Test
  void countsWordsOverAShuffle() throws Exception {
    assertThat(
            collected(
                new TestDags()
                    .source("read", "a b a", "b c", "a")
                    .operator("split", TestFunctions.WORDS, 3)
                    .operator("combine", TestFunctions.PARTIAL_SUM, 3)
                    .operator("sum", TestFunctions.SUM, 2)
                    .operator("collect", TestFunctions.COLLECT, 2)
                    .oneToOne("read", "split")
                    .oneToOne("split", "combine")
                    .grouped("combine", "sum", 2)
                    .oneToOne("sum", "collect")
                    .build()))
        .containsExactly("a=3", "b=2", "c=1");
  }

  @ParameterizedTest
  @EnumSource(Compression.class)
  void edgesOfEveryKindCanBeCompressed(Compression compression) throws Exception {
    IRDag dag =
        new TestDags()
            .source("read", "a=1", "a=2")
            .source("others", "x", "y")
            .operator("sum", TestFunctions.SUM, 1)
            .operator("with", TestFunctions.WITH_SIDE, 2)
            .operator("collect", TestFunctions.COLLECT, 2)
            .grouped("read", "sum", 1)
            .broadcast("sum", "with", "side")
            .spread("others", "with")
            .oneToOne("with", "collect")
            .build();
    for (IREdge edge : dag.edges()) {
      dag = dag.apply(new SetEdgeProperty(edge.id(), compression));
    }
    assertThat(collected(dag)).containsExactly("x a=3", "y a=3");
  }

  @Test
  void groupsOfSeveralProducersAreMergedByKey() throws Exception {
    assertThat(
            collected(
                new TestDags()
                    .source("left", "a=1\nb=2", "c=3")
                    .source("right", "a=10\nd=4")
                    .operator("sum", TestFunctions.SUM, 2)
                    .operator("collect", TestFunctions.COLLECT, 2)
                    .grouped("left", "sum", 2)
                    .grouped("right", "sum", 2)
                    .oneToOne("sum", "collect")
                    .build()))
        .containsExactly("a=11", "b=2", "c=3", "d=4");
  }

  @Test
  void parallelEdgesBetweenTwoStagesShareALink() throws Exception {
    assertThat(
            collected(
                new TestDags()
                    .source("read", "a=1\nb=2")
                    .operator("sum", TestFunctions.SUM, 2)
                    .operator("twice", TestFunctions.COUNT_TWICE, 2)
                    .operator("collect", TestFunctions.COLLECT, 2)
                    .grouped("read", "sum", 2)
                    .grouped("read", "sum", 2)
                    .grouped("read", "twice", 2)
                    .oneToOne("sum", "collect")
                    .oneToOne("twice", "collect")
                    .build()))
        .containsExactly("a=1 1", "a=2", "b=1 1", "b=4");
  }

  @Test
  void differentTransfersBetweenTwoStagesAreSeparatedByARelay() throws Exception {
    assertThat(
            collected(
                new TestDags()
                    .source("read", "x", "y")
                    .operator("with", TestFunctions.WITH_SIDE, 3)
                    .operator("collect", TestFunctions.COLLECT, 3)
                    .spread("read", "with")
                    .broadcast("read", "with", "side")
                    .oneToOne("with", "collect")
                    .build()))
        .containsExactly("x x y", "y x y");
  }

  @Test
  void sideInputsOfOneLinkAreReadOneAfterTheOtherAndAsOftenAsWanted() throws Exception {
    assertThat(
            collected(
                new TestDags()
                    .source("read", "a\nb", "c")
                    .source("others", "x\ny\nz")
                    .operator("with", TestFunctions.WITH_SIDE, 1)
                    .operator("again", TestFunctions.WITH_SIDE, 1)
                    .operator("collect", TestFunctions.COLLECT, 1)
                    .spread("others", "with")
                    .broadcast("read", "with", "side")
                    .broadcast("read", "again", "side")
                    .oneToOne("with", "again")
                    .oneToOne("again", "collect")
                    .build()))
        .containsExactly("x a b c a b c", "y a b c a b c", "z a b c a b c");
  }

  @Test
  void whatTwoStagesReadAlikeIsWrittenOnce() throws Exception {
    IRDag dag =
        new TestDags()
            .source("read", "a=1\nb=2", "a=3")
            .operator("sum", TestFunctions.SUM, 2)
            .operator("twice", TestFunctions.COUNT_TWICE, 2)
            .operator("collect", TestFunctions.COLLECT, 2)
            .operator("collectTwice", TestFunctions.COLLECT, 2)
            .grouped("read", "sum", 2)
            .grouped("read", "twice", 2)
            .oneToOne("sum", "collect")
            .oneToOne("twice", "collectTwice")
            .build();
    String first = dag.incoming("sum").get(0).id();
    String second = dag.incoming("twice").get(0).id();

    JobResult apart = run(dag);
    JobResult shared = run(dag.apply(new SetEdgeProperty(second, new SharedOutput(first))));

    assertThat(collected(shared))
        .isEqualTo(collected(apart))
        .containsExactly("a=2 2", "a=4", "b=1 1", "b=2");
    assertThat(apart.edges().get(second).written().storedBytes()).isPositive();
    assertThat(shared.edges().get(second).written().storedBytes()).isZero();
    assertThat(shared.edges().get(first).written().storedBytes())
        .isEqualTo(apart.edges().get(first).written().storedBytes());
    assertThat(shared.readBytes().get(second)).isEqualTo(apart.readBytes().get(second));
  }

  @Test
  void aStageReadsSourceAndShuffleTogether() throws Exception {
    assertThat(
            collected(
                new TestDags()
                    .source("read", "a=1\na=1")
                    .source("more", "m")
                    .operator("sum", TestFunctions.SUM, 1)
                    .operator("collect", TestFunctions.COLLECT, 1)
                    .grouped("read", "sum", 1)
                    .oneToOne("sum", "collect")
                    .oneToOne("more", "collect")
                    .build()))
        .containsExactly("a=2", "m");
  }

  @Test
  void aFailedTaskIsTriedAgain() throws Exception {
    assertThat(
            collected(
                new TestDags()
                    .source("read", "x")
                    .operator("fail", TestFunctions.spec(TestFunctions.FAIL, "twice:2"), 1)
                    .operator("collect", TestFunctions.COLLECT, 1)
                    .oneToOne("read", "fail")
                    .oneToOne("fail", "collect")
                    .build()))
        .containsExactly("x");
    assertThat(TestFunctions.ATTEMPTS.get("twice")).hasValue(3);
  }

  @Test
  void aTaskThatAlwaysFailsEndsTheJobWithItsException() throws Exception {
    JobResult result =
        run(
            new TestDags()
                .source("read", "x")
                .operator("fail", TestFunctions.spec(TestFunctions.FAIL, "always:99"), 1)
                .oneToOne("read", "fail")
                .build());
    assertThat(result.state()).isEqualTo(JobState.FAILED);
    assertThat(result.failure())
        .get()
        .isInstanceOf(IllegalStateException.class)
        .extracting(Throwable::getMessage)
        .isEqualTo("planned failure of x");
    assertThat(TestFunctions.ATTEMPTS.get("always")).hasValue(3);
  }

  @Test
  void aTimeoutOfUserCodeEndsTheJobWithItself() throws Exception {
    for (Exception timeout :
        List.of(
            new SocketTimeoutException("Read timed out"), new InterruptedIOException("timeout"))) {
      TestFunctions.HOOKS.put(
          "timeout",
          (task, count) -> {
            throw timeout;
          });
      JobResult result = run(hooked("timeout"));
      assertThat(result.state()).isEqualTo(JobState.FAILED);
      assertThat(result.failure())
          .get()
          .isInstanceOf(timeout.getClass())
          .extracting(Throwable::getMessage)
          .isEqualTo(timeout.getMessage());
    }
  }

  /** The other task is told to end, in its last attempt, and fails for that in a way of its own. */
  @Test
  void theFirstFailureOfTheTaskThatFailedIsShown() throws Exception {
    CountDownLatch otherRuns = new CountDownLatch(1);
    CountDownLatch otherEnds = new CountDownLatch(1);
    TestFunctions.HOOKS.put(
        "first",
        (task, count) -> {
          if (task.taskIndex() == 1 && task.attempt() == 2) {
            otherRuns.countDown();
            try {
              new CountDownLatch(1).await();
            } catch (InterruptedException e) {
              throw new IllegalStateException("it was told to end", e);
            } finally {
              otherEnds.countDown();
            }
          }
          if (task.attempt() == 2) {
            otherRuns.await();
          }
          throw new IllegalStateException(
              "attempt " + task.attempt() + " of task " + task.taskIndex());
        });
    JobResult result = run(hooked("first"));
    otherEnds.await();
    assertThat(result.state()).isEqualTo(JobState.FAILED);
    assertThat(result.failure())
        .get()
        .extracting(Throwable::getMessage)
        .isEqualTo("attempt 0 of task 0");
    assertThat(result.failureSite().orElseThrow().attempt().orElseThrow())
        .matches("task 0 of .*, attempt 0");
  }

  private static IRDag hooked(String hook) {
    return new TestDags()
        .source("read", "x", "y")
        .operator("hook", TestFunctions.spec(TestFunctions.HOOK, hook), 2)
        .operator("collect", TestFunctions.COLLECT, 2)
        .oneToOne("read", "hook")
        .oneToOne("hook", "collect")
        .build();
  }

  @Test
  void aCancelledJobEnds() throws Exception {
    RunningJob job =
        submit(
            new TestDags()
                .source("read", "x")
                .operator("block", TestFunctions.BLOCK, 1)
                .oneToOne("read", "block")
                .build());
    AtomicInteger blocked =
        TestFunctions.ATTEMPTS.computeIfAbsent("blocked", k -> new AtomicInteger());
    while (blocked.get() == 0) {
      assertThat(job.await(Optional.of(Duration.ofMillis(10)))).isEmpty();
    }
    job.cancel();
    assertThat(job.await(Optional.of(Duration.ofSeconds(20))).orElseThrow().state())
        .isEqualTo(JobState.CANCELLED);
  }

  @Test
  void aSlowTaskIsClonedAndTheFirstToFinishCounts() throws Exception {
    IRDag dag =
        new TestDags()
            .source("read", "a", "b", "c", "slow")
            .operator("wait", TestFunctions.SLOW_ONCE, 4)
            .operator("collect", TestFunctions.COLLECT, 4)
            .oneToOne("read", "wait")
            .oneToOne("wait", "collect")
            .build();
    for (String vertex : List.of("read", "wait", "collect")) {
      dag = dag.apply(new SetVertexProperty(vertex, new ClonedScheduling(1.0, 0.5)));
    }
    assertThat(collected(dag)).containsExactly("a", "b", "c", "slow");
    assertThat(TestFunctions.ATTEMPTS.get("slow").get()).isGreaterThan(1);
  }

  @Test
  void nothingIsLeftOfAJob() throws Exception {
    countsWordsOverAShuffle();
    try (Stream<Path> files = Files.walk(temp)) {
      assertThat(files.map(Path::toString))
          .noneMatch(name -> name.contains("/attempt_") || name.contains("job-"));
    }
  }
}
