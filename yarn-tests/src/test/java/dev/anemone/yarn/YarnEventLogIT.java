// SPDX-License-Identifier: Apache-2.0
package dev.anemone.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.beam.options.NemoPipelineOptions;
import dev.anemone.runtime.event.EdgesCounted;
import dev.anemone.runtime.event.ExecutorLost;
import dev.anemone.runtime.event.ExecutorStarted;
import dev.anemone.runtime.event.JobEvent;
import dev.anemone.runtime.event.JobFinished;
import dev.anemone.runtime.event.JobProgress;
import dev.anemone.runtime.event.JobStarted;
import dev.anemone.runtime.event.MetricValues;
import dev.anemone.runtime.event.StagesPlanned;
import dev.anemone.runtime.event.TaskFinished;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.beam.sdk.PipelineResult;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The log of a job on a cluster has what its application masters know. */
class YarnEventLogIT {
  private static final String COUNTING = "^stage1$";
  private static final Duration STRIKE_LIMIT = Duration.ofMinutes(4);
  private static final org.joda.time.Duration JOB_LIMIT = org.joda.time.Duration.standardMinutes(5);

  private static TestCluster cluster;
  @TempDir private Path logs;
  private PipelineResult current;

  @BeforeAll
  static void start() throws Exception {
    cluster = TestCluster.shared();
  }

  @AfterEach
  void nothingIsLeft() throws IOException {
    cluster.faults().disarm();
    if (current != null && !current.getState().isTerminal()) {
      current.cancel();
    }
  }

  private void run(String job) {
    NemoPipelineOptions options = cluster.options(job, "Default");
    options.setEventLog(logs.toString());
    current = FaultyWordCount.pipeline(options, cluster.input(), cluster.output(job)).run();
  }

  private void awaitAnswer(String job) throws IOException {
    assertThat(current.waitUntilFinish(JOB_LIMIT)).isEqualTo(PipelineResult.State.DONE);
    assertThat(cluster.takeResult(job)).isEqualTo(cluster.trueCounts());
  }

  private static <E extends JobEvent> List<E> only(Class<E> kind, List<JobEvent> events) {
    return events.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  private static List<TaskFinished> tasks(List<JobEvent> log, TaskFinished.State state) {
    return only(TaskFinished.class, log).stream().filter(task -> task.state() == state).toList();
  }

  private static void assertEveryTaskSucceededOnAHost(List<JobEvent> log) {
    Map<String, ExecutorStarted> executors = new HashMap<>();
    only(ExecutorStarted.class, log).forEach(each -> executors.put(each.executor(), each));
    List<StagesPlanned> stages = only(StagesPlanned.class, log);
    List<String> planned =
        stages.get(stages.size() - 1).stages().stream()
            .flatMap(
                stage ->
                    Stream.iterate(0, task -> task < stage.tasks(), task -> task + 1)
                        .map(task -> stage.stage() + "/" + task))
            .toList();
    List<TaskFinished> succeeded = tasks(log, TaskFinished.State.SUCCEEDED);
    assertThat(succeeded.stream().map(task -> task.stage() + "/" + task.task()))
        .containsExactlyInAnyOrderElementsOf(planned);
    for (TaskFinished task : succeeded) {
      ExecutorStarted executor = executors.get(task.executor().orElseThrow());
      assertThat(executor).as("executor of %s", task).isNotNull();
      assertThat(executor.host()).isNotEmpty();
      assertThat(executor.memoryBytes()).isGreaterThan(100L << 20);
      assertThat(task.waitedFrom()).isPositive().isLessThanOrEqualTo(task.startedAt());
      assertThat(task.startedAt()).isLessThanOrEqualTo(task.time());
      assertThat(task.times().total()).as("times of %s", task).isPositive();
    }
  }

  @Test
  @Tag("nightly")
  void aContainerThatIsKilledIsALostExecutorAndItsTaskIsTriedAgain() throws Exception {
    cluster.faults().arm(Fault.once(Fault.Kind.KILL, FaultyWordCount.COUNT));
    run("log-killed");
    awaitAnswer("log-killed");
    List<JobEvent> log = new EventLogs(logs).events();

    assertEveryTaskSucceededOnAHost(log);
    ExecutorLost lost = only(ExecutorLost.class, log).get(0);
    String container = lost.executor();
    assertThat(cluster.faults().strikes()).singleElement().asString().startsWith(container + " ");
    assertThat(lost.cause()).contains("137");
    assertThat(only(TaskFinished.class, log))
        .filteredOn(task -> task.executor().equals(Optional.of(container)))
        .filteredOn(task -> task.state() != TaskFinished.State.SUCCEEDED)
        .singleElement()
        .satisfies(task -> assertThat(task.cause()).isPresent());
  }

  @Test
  @Tag("nightly")
  void anAttemptThatFailsIsThereWithWhatItThrew() throws Exception {
    cluster.faults().arm(Fault.once(Fault.Kind.FAIL, FaultyWordCount.COUNT));
    run("log-failed");
    awaitAnswer("log-failed");
    List<JobEvent> log = new EventLogs(logs).events();

    assertEveryTaskSucceededOnAHost(log);
    assertThat(tasks(log, TaskFinished.State.FAILED)).hasSize(1);
    TaskFinished failed = tasks(log, TaskFinished.State.FAILED).get(0);
    assertThat(failed.stage()).isEqualTo("stage1");
    assertThat(failed.attempt()).isZero();
    assertThat(failed.cause().orElseThrow()).contains("injected at count");
    // Tez runs nothing any more in a container in which a task has failed.
    ExecutorLost lost = only(ExecutorLost.class, log).get(0);
    assertThat(failed.executor()).contains(lost.executor());
    assertThat(lost.cause()).contains("stopped by the application master");
  }

  @Test
  @Tag("nightly")
  void theMasterWritesTheLogOfADetachedJob() throws Exception {
    cluster.faults().arm(Fault.once(Fault.Kind.FAIL, FaultyWordCount.COUNT));
    NemoPipelineOptions options = cluster.options("log-detached", "Default");
    options.setEventLog(cluster.path("/logs"));
    options.setDetached(true);
    options.setDeadlineMinutes(10);
    current =
        FaultyWordCount.pipeline(options, cluster.input(), cluster.output("log-detached")).run();
    awaitAnswer("log-detached");
    cluster.copyOut("/logs", logs);
    List<JobEvent> log = new EventLogs(logs).events();

    assertThat(log.get(0)).isInstanceOf(JobStarted.class);
    assertEveryTaskSucceededOnAHost(log);
    assertThat(tasks(log, TaskFinished.State.FAILED)).hasSize(1);
    assertThat(only(JobProgress.class, log)).isNotEmpty();
    assertThat(only(EdgesCounted.class, log)).hasSize(1);
    assertThat(only(MetricValues.class, log)).hasSize(1);
    assertThat(((JobFinished) log.get(log.size() - 1)).state())
        .isEqualTo(JobFinished.State.SUCCEEDED);
    try (Stream<Path> files = Files.list(logs)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .filteredOn(name -> !name.startsWith("."))
          .singleElement()
          .asString()
          .endsWith(".jsonl");
    }
  }

  @Test
  void theLogGrowsWhileTheJobRunsAndGoesOnWithTheNextMaster() throws Exception {
    cluster.faults().arm(Fault.once(Fault.Kind.HOLD, "BEGUN").inStages(COUNTING));
    run("log-master");
    cluster.faults().awaitStrike();
    Waiting.until(
        () ->
            tasks(new EventLogs(logs).events(), TaskFinished.State.SUCCEEDED).size()
                >= TestCluster.FILES,
        STRIKE_LIMIT,
        () -> "the log does not have the tasks that have ended");
    List<ExecutorStarted> executors = only(ExecutorStarted.class, new EventLogs(logs).events());

    cluster.master().orElseThrow().destroyForcibly();
    cluster.faults().release();
    awaitAnswer("log-master");

    List<JobEvent> log = new EventLogs(logs).events();
    assertThat(only(ExecutorLost.class, log).stream().map(ExecutorLost::executor))
        .containsAll(executors.stream().map(ExecutorStarted::executor).toList());
    assertThat(only(ExecutorLost.class, log))
        .allMatch(lost -> lost.cause().equals("its application master was lost"));
    assertThat(tasks(log, TaskFinished.State.SUCCEEDED).stream().map(TaskFinished::stage))
        .contains("stage1");
  }
}
