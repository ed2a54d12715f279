// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ir.IRDag;
import dev.anemone.runtime.engine.Deployment;
import dev.anemone.runtime.engine.InvalidJobException;
import dev.anemone.runtime.engine.JobEngineOptions;
import dev.anemone.runtime.engine.JobResult;
import dev.anemone.runtime.engine.RunningJob;
import dev.anemone.runtime.event.EdgesCounted;
import dev.anemone.runtime.event.EventLogReader;
import dev.anemone.runtime.event.ExecutorStarted;
import dev.anemone.runtime.event.JobEvent;
import dev.anemone.runtime.event.JobEvents;
import dev.anemone.runtime.event.JobFinished;
import dev.anemone.runtime.event.JobStarted;
import dev.anemone.runtime.event.StagesPlanned;
import dev.anemone.runtime.event.TaskFinished;
import dev.anemone.runtime.testing.RecordingListener;
import dev.anemone.runtime.testing.TestDags;
import dev.anemone.runtime.testing.TestFunctions;
import dev.anemone.runtime.tez.client.TezEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What jobs in this JVM leave in their logs, and tell listeners. */
@Timeout(60)
class EventLogOfAJobTest {

  @TempDir static Path temp;
  @TempDir Path logs;

  private RunningJob submit(IRDag dag) {
    return TezEngine.of(
            new JobEngineOptions(2, 3, 64L << 20, temp, new Deployment.InProcess())
                .withEventLog(logs.resolve("new").toUri()))
        .submit(TestDags.job(dag));
  }

  private static JobResult await(RunningJob job) throws InterruptedException {
    return job.await(Optional.of(Duration.ofSeconds(50))).orElseThrow();
  }

  private List<JobEvent> logOf(RunningJob job) throws IOException {
    List<JobEvent> events = new ArrayList<>();
    try (EventLogReader reader =
        new EventLogReader(
            Files.newInputStream(logs.resolve("new").resolve(job.id() + ".jsonl")))) {
      for (var event = reader.next(); event.isPresent(); event = reader.next()) {
        events.add(event.get());
      }
      assertThat(reader.unreadableLines() + reader.unknownEvents()).isZero();
    }
    return events;
  }

  private static <E extends JobEvent> List<E> only(Class<E> kind, List<JobEvent> events) {
    return events.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  private static IRDag wordCount() {
    return new TestDags()
        .source("read", "a b a", "b c", "a")
        .operator("split", TestFunctions.WORDS, 3)
        .operator("sum", TestFunctions.SUM, 2)
        .operator("collect", TestFunctions.COLLECT, 2)
        .oneToOne("read", "split")
        .grouped("split", "sum", 2)
        .oneToOne("sum", "collect")
        .build();
  }

  @Test
  void theLogOfAWordCountHasItsStagesAndEveryTaskOnce() throws Exception {
    RunningJob job = submit(wordCount());
    await(job);
    List<JobEvent> log = logOf(job);

    JobStarted started = (JobStarted) log.get(0);
    assertThat(started.job()).isEqualTo(job.id());
    assertThat(started.name()).isEqualTo("test");
    assertThat(started.environment().deployMode()).isEqualTo("local");
    StagesPlanned stages = only(StagesPlanned.class, log).get(0);
    assertThat(stages.stages().stream().map(StagesPlanned.Stage::vertices))
        .containsExactly(List.of("read", "split"), List.of("sum", "collect"));
    assertThat(stages.links())
        .containsExactly(
            new StagesPlanned.StageLink(
                "stage0", "stage1", List.of("e1"), "SHUFFLE", "LOCAL_FILE", "PULL"));
    List<TaskFinished> tasks = only(TaskFinished.class, log);
    assertThat(tasks.stream().map(task -> task.stage() + "/" + task.task()).sorted())
        .containsExactly("stage0/0", "stage0/1", "stage0/2", "stage1/0", "stage1/1");
    for (TaskFinished task : tasks) {
      assertThat(task.state()).isEqualTo(TaskFinished.State.SUCCEEDED);
      assertThat(task.cause()).isEmpty();
      assertThat(task.executor()).contains(only(ExecutorStarted.class, log).get(0).executor());
      assertThat(task.waitedFrom()).isLessThanOrEqualTo(task.startedAt());
      assertThat(task.startedAt()).isLessThanOrEqualTo(task.time());
    }
    assertThat(only(EdgesCounted.class, log).get(0).edges().get("e1").records()).isEqualTo(6);
    assertThat(log.get(log.size() - 1))
        .isEqualTo(
            new JobFinished(
                log.get(log.size() - 1).time(), JobFinished.State.SUCCEEDED, Optional.empty()));
    try (Stream<Path> files = Files.list(logs.resolve("new"))) {
      assertThat(files.map(file -> file.getFileName().toString()).filter(n -> !n.startsWith(".")))
          .containsExactly(job.id() + ".jsonl");
    }
  }

  @Test
  void aListenerHearsTheSameAsTheLog() throws Exception {
    RunningJob job = submit(wordCount());
    await(job);
    JobEvents.Subscription heard = RecordingListener.JOBS.get(job.id()).subscribe();
    List<JobEvent> events = new ArrayList<>();
    while (!heard.isAtEnd()) {
      heard.next(Duration.ofSeconds(10)).ifPresent(events::add);
    }

    assertThat(job.events()).containsSame(RecordingListener.JOBS.get(job.id()));
    assertThat(only(TaskFinished.class, events)).hasSize(5);
    assertThat(events.get(events.size() - 1)).isInstanceOf(JobFinished.class);
  }

  @Test
  void attemptsThatFailAreThereWithTheirCause() throws Exception {
    RunningJob job =
        submit(
            new TestDags()
                .source("read", "x")
                .operator("fail", TestFunctions.spec(TestFunctions.FAIL, "logged:99"), 1)
                .oneToOne("read", "fail")
                .build());
    await(job);
    List<JobEvent> log = logOf(job);

    List<TaskFinished> failed = only(TaskFinished.class, log);
    assertThat(failed.stream().map(TaskFinished::attempt)).containsExactly(0, 1, 2);
    for (TaskFinished attempt : failed) {
      assertThat(attempt.state()).isEqualTo(TaskFinished.State.FAILED);
      assertThat(attempt.cause().orElseThrow())
          .contains("java.lang.IllegalStateException: planned failure of x")
          .doesNotContain("\n", "attempt_");
    }
    JobFinished finished = (JobFinished) log.get(log.size() - 1);
    assertThat(finished.state()).isEqualTo(JobFinished.State.FAILED);
    JobFinished.Failure failure = finished.failure().orElseThrow();
    assertThat(failure.message())
        .isEqualTo("java.lang.IllegalStateException: planned failure of x");
    assertThat(failure.stackTrace()).contains("TestFunctions");
    assertThat(failure.stage()).contains("stage0");
    assertThat(failure.task()).contains(0);
  }

  @Test
  void aDirectoryThatCannotBeWrittenIsSaidBeforeTheJobRuns() throws Exception {
    Files.createFile(logs.resolve("new"));

    assertThatThrownBy(() -> submit(wordCount()))
        .isInstanceOf(InvalidJobException.class)
        .hasMessageContaining("the event log cannot be written into file://" + logs.resolve("new"))
        .hasMessageContaining("Name a directory");
  }

  @Test
  void whatIsReadAndWrittenIsToldForEachTask() throws Exception {
    RunningJob job = submit(wordCount());
    await(job);
    List<TaskFinished> tasks = only(TaskFinished.class, logOf(job));

    assertThat(tasks.stream().collect(Collectors.summingLong(task -> task.written().records())))
        .isEqualTo(6);
    assertThat(tasks.stream().collect(Collectors.summingLong(task -> task.read().records())))
        .isEqualTo(6);
    assertThat(tasks.stream().collect(Collectors.summingLong(task -> task.read().bytes())))
        .isGreaterThanOrEqualTo(
            tasks.stream().collect(Collectors.summingLong(task -> task.written().bytes())));
  }

  /** What a task does in a second and a half is in the part where it belongs. */
  @Test
  void timesOfATaskAddUpToNoMoreThanItTook() throws Exception {
    RunningJob job =
        submit(
            new TestDags()
                .numbers("read", 2, 200_000, 50_000)
                .operator("sum", TestFunctions.SUM, 2)
                .operator("collect", TestFunctions.COLLECT, 2)
                .grouped("read", "sum", 2)
                .oneToOne("sum", "collect")
                .build());
    await(job);

    for (TaskFinished task : only(TaskFinished.class, logOf(job))) {
      assertThat(task.times().total())
          .as("times of %s", task)
          .isPositive()
          .isLessThanOrEqualTo(task.time() - task.startedAt() + 5);
      long parts =
          task.stage().equals("stage0")
              ? task.times().input() + task.times().sort() + task.times().write()
              : task.times().input() + task.times().compute();
      assertThat(parts).as("where the time of %s went", task).isPositive();
    }
  }

  @Test
  void tasksOfAnAggregationTellHowLongTheyWaitedAndWhatTheyGathered() throws Exception {
    RunningJob job =
        submit(
            new TestDags()
                .numbers("read", 2, 200_000, 50_000)
                .aggregation("relay", 1)
                .operator("sum", TestFunctions.SUM, 2)
                .operator("collect", TestFunctions.COLLECT, 2)
                .pushed("read", "relay", "p0", 1, 2)
                .aggregated("relay", "p0", "sum", 2)
                .oneToOne("sum", "collect")
                .build());
    await(job);
    List<JobEvent> log = logOf(job);
    String relay =
        only(StagesPlanned.class, log).get(0).stages().stream()
            .filter(stage -> stage.vertices().contains("relay"))
            .findFirst()
            .orElseThrow()
            .stage();

    TaskFinished task =
        only(TaskFinished.class, log).stream()
            .filter(each -> each.stage().equals(relay))
            .findFirst()
            .orElseThrow();
    assertThat(task.times().fetchWait()).as("%s", task).isPositive();
    assertThat(task.times().total()).isLessThanOrEqualTo(task.time() - task.startedAt() + 5);
    assertThat(task.read().bytes()).isPositive().isEqualTo(task.written().bytes());
  }
}
