// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.runtime.event.AttemptTimes;
import dev.anemone.runtime.event.JobEvent;
import dev.anemone.runtime.event.JobProgress;
import dev.anemone.runtime.event.StagesPlanned;
import dev.anemone.runtime.event.TaskFinished;
import dev.anemone.runtime.event.TaskFinished.Amount;
import dev.anemone.ui.model.JobHead;
import dev.anemone.ui.model.JobModel;
import dev.anemone.ui.model.JobState;
import dev.anemone.ui.model.LoggedJob;
import dev.anemone.ui.model.StageView;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JobModelTest {

  @Test
  void aLogGivesWhatTheEventsGive() throws IOException {
    List<JobEvent> events = SampleJob.succeeded("a", "DataSkew", 1, 8);
    JobHead live = SampleJob.model("a", events).head();
    JobHead logged = read(SampleJob.log(events)).head();
    assertThat(logged.counts()).isEqualTo(live.counts());
    assertThat(logged.criticalPath()).isEqualTo(live.criticalPath()).isNotEmpty();
    assertThat(logged.summary()).isEqualTo(live.summary());
    assertThat(logged.remarks()).isEmpty();
  }

  @Test
  void stagesAreSummedOverTheirAttempts() {
    StageView stage =
        SampleJob.model("a", SampleJob.succeeded("a", "Default", 1, 8)).head().counts().get(0);
    assertThat(stage.succeeded()).isEqualTo(8);
    assertThat(stage.total()).isEqualTo(8);
    assertThat(stage.failed()).isEqualTo(1);
    assertThat(stage.times().total()).isPositive();
    assertThat(stage.readRecords()).isEqualTo(8 * 9_000 + 28);
  }

  @Test
  void whatAttemptsHaveDoneThatRunIsAddedWhereItIsKnown() {
    JobModel job = SampleJob.model("a", SampleJob.running("a", "Default", 1, 8));
    StageView before = job.head().counts().get(0);
    job.add(
        new JobProgress(
            1,
            Map.of(
                before.stage(),
                new JobProgress.StageProgress(
                    1,
                    before.succeeded(),
                    0,
                    before.total(),
                    Optional.of(
                        new JobProgress.Counted(new Amount(5, 600), new Amount(7, 80), 9)))),
            Map.of()));

    StageView now = job.head().counts().get(0);
    assertThat(now.readRecords()).isEqualTo(before.readRecords() + 5);
    assertThat(now.readBytes()).isEqualTo(before.readBytes() + 600);
    assertThat(now.writtenBytes()).isEqualTo(before.writtenBytes() + 80);
    assertThat(now.spilledBytes()).isEqualTo(before.spilledBytes() + 9);
  }

  @Test
  void aStageThatWasMadeSmallerAfterTheLastProgressHasAllItsTasks() {
    List<JobEvent> events = SampleJob.running("a", "Default", 1, 8);
    JobModel job = SampleJob.model("a", events);
    StageView before = job.head().counts().get(0);
    job.add(
        new JobProgress(
            1,
            Map.of(before.stage(), new JobProgress.StageProgress(0, 8, 0, 12, Optional.empty())),
            Map.of()));
    StagesPlanned planned =
        events.stream()
            .filter(StagesPlanned.class::isInstance)
            .map(StagesPlanned.class::cast)
            .findFirst()
            .orElseThrow();
    planned.withTasks(Map.of(before.stage(), 12), 2).ifPresent(job::add);
    assertThat(job.head().counts().get(0).total()).isEqualTo(12);

    job.add(planned);

    assertThat(job.head().counts().get(0).total()).isEqualTo(8);
  }

  @Test
  void aLogThatIsCutOffShowsItsLastStateAndSaysSo() throws IOException {
    String log = SampleJob.log(SampleJob.succeeded("a", "Default", 1, 8));
    JobHead head = read(log.substring(0, log.indexOf("job-finished"))).head();
    assertThat(head.summary().state()).isEqualTo(JobState.UNFINISHED);
    assertThat(head.counts()).isNotEmpty();
    assertThat(head.remarks()).hasSize(2);
    assertThat(head.remarks().get(0)).contains("killed");
    assertThat(head.remarks().get(1)).contains("A line of the log could not be read");
  }

  @Test
  void aFileThatIsNoLogIsAJobOfWhichNothingIsKnown() throws IOException {
    JobHead head = read("hello\n{\"x\": 1}\n").head();
    assertThat(head.summary().state()).isEqualTo(JobState.UNFINISHED);
    assertThat(head.remarks()).anySatisfy(text -> assertThat(text).contains("2 lines"));
  }

  @Test
  void theCriticalPathGoesOverTheLastProducerTheSlotAndTheFailedTry() {
    JobModel job = new JobModel("a");
    job.add(
        new StagesPlanned(
            0, List.of(), List.of(new StagesPlanned.StageLink("s0", "s1", List.of(), "", "", ""))));
    job.add(attempt("s0", 0, 0, "a", TaskFinished.State.SUCCEEDED, 0, 10));
    job.add(attempt("s0", 1, 0, "b", TaskFinished.State.FAILED, 0, 20));
    job.add(attempt("s0", 1, 1, "b", TaskFinished.State.SUCCEEDED, 20, 40));
    // Could begin at 40, and waited for the slot that task 0 held.
    job.add(attempt("s1", 0, 0, "a", TaskFinished.State.SUCCEEDED, 41, 50));
    job.add(attempt("s1", 1, 0, "a", TaskFinished.State.SUCCEEDED, 50, 70));
    assertThat(job.head().criticalPath()).containsExactly(1, 2, 3, 4);
  }

  private static TaskFinished attempt(
      String stage,
      int task,
      int attempt,
      String executor,
      TaskFinished.State state,
      long start,
      long end) {
    return new TaskFinished(
        end,
        stage,
        task,
        attempt,
        Optional.of(executor),
        state,
        false,
        stage.equals("s0") ? start : 41,
        start,
        AttemptTimes.NONE,
        TaskFinished.Amount.NONE,
        TaskFinished.Amount.NONE,
        0,
        Optional.empty());
  }

  private static JobModel read(String log) throws IOException {
    return LoggedJob.read("a", new ByteArrayInputStream(log.getBytes(StandardCharsets.UTF_8)));
  }
}
