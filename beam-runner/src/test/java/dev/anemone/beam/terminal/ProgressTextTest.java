// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.runtime.event.JobFinished;
import dev.anemone.runtime.event.JobProgress.Counted;
import dev.anemone.runtime.event.JobProgress.StageProgress;
import dev.anemone.runtime.event.TaskFinished.Amount;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ProgressTextTest {

  private static final StageProgress NOT_BEGUN = new StageProgress(0, 0, 0, 2);
  private static final LastRun TOOK_8_S = new LastRun(Map.of("s0", Duration.ofSeconds(8)));

  /** The first of four tasks has three quarters of the bytes. */
  private final JobFigures job =
      new JobFigures(
          new SourceSizes(Map.of("v1", List.of(6_000_000L, 1_000_000L, 500_000L, 500_000L))));

  @BeforeEach
  void theJobReadsForTwoSeconds() {
    job.add(TestEvents.started(1_000));
    job.add(TestEvents.planned(1_000));
    job.add(TestEvents.progress(2_000, new StageProgress(2, 0, 0, 4), NOT_BEGUN));
  }

  private void oneTaskHasRead() {
    job.add(TestEvents.task("s0", 0, 2_000, 4_000, Amount.NONE, new Amount(1_500, 20_000)));
    job.add(TestEvents.progress(4_000, new StageProgress(2, 1, 0, 4), NOT_BEGUN));
  }

  @Test
  void aBarShowsBytesOfTheSourceNotTasks() {
    oneTaskHasRead();

    assertThat(ProgressText.bars(job, LastRun.NONE, 5_000, 120))
        .containsExactly(
            "Read lines [===============>    ] 75 %, 1/4 tasks, 1,500 rows, 6.0 MB, 2.0 MB/s,"
                + " 1.0 s left");
  }

  @Test
  void withoutAnyTaskDoneTheLastRunTellsHowLongItTakes() {
    assertThat(ProgressText.bars(job, TOOK_8_S, 5_000, 120))
        .containsExactly("Read lines [>                   ] 0 %, 0/4 tasks, 5.0 s left");
    assertThat(ProgressText.bars(job, LastRun.NONE, 5_000, 120))
        .containsExactly("Read lines [>                   ] 0 %, 0/4 tasks");
  }

  @Test
  void theMoreIsDoneTheLessTheLastRunCounts() {
    oneTaskHasRead();

    // By what is seen 1 s, by the last run 5 s.
    assertThat(ProgressText.bars(job, TOOK_8_S, 5_000, 120).get(0)).endsWith(", 2.0 s left");
  }

  @Test
  void noLineIsLongerThanTheTerminalIsWide() {
    oneTaskHasRead();

    for (int columns = 40; columns < 130; columns++) {
      String line = ProgressText.bars(job, TOOK_8_S, 5_000, columns).get(0);
      assertThat(line).hasSizeLessThan(columns).startsWith("Read").contains("[===");
    }
  }

  @Test
  void aStageThatReadsAnotherIsAsFarAsItsTasks() {
    for (int task = 0; task < 4; task++) {
      job.add(TestEvents.task("s0", task, 2_000, 4_000, Amount.NONE, new Amount(300, 8_500)));
    }
    job.add(TestEvents.task("s1", 0, 4_000, 6_000, new Amount(700, 20_000), Amount.NONE));

    assertThat(ProgressText.plain(job, LastRun.NONE, 8_000))
        .containsExactly(
            "wordcount, 7.0 s: Count words, 50 %, 1/2 tasks, 700 rows, 20.0 kB, 5.0 kB/s, 4.0 s"
                + " left");
  }

  @Test
  void whereItIsKnownWhatTasksThatRunHaveReadThatIsCounted() {
    for (int task = 0; task < 4; task++) {
      job.add(TestEvents.task("s0", task, 2_000, 4_000, Amount.NONE, new Amount(300, 8_500)));
    }
    job.add(TestEvents.task("s1", 0, 4_000, 6_000, new Amount(700, 20_000), Amount.NONE));
    Counted running = new Counted(new Amount(100, 4_000), Amount.NONE, 0);
    job.add(
        TestEvents.progress(
            7_000,
            new StageProgress(0, 4, 0, 4),
            new StageProgress(1, 1, 0, 2, Optional.of(running))));

    assertThat(ProgressText.plain(job, LastRun.NONE, 8_000))
        .containsExactly(
            "wordcount, 7.0 s: Count words, 50 %, 1/2 tasks, 800 rows, 24.0 kB, 6.0 kB/s, 4.0 s"
                + " left");
  }

  @Test
  void betweenStagesALineTellsOfTheJob() {
    for (int task = 0; task < 4; task++) {
      job.add(TestEvents.task("s0", task, 2_000, 4_000, Amount.NONE, Amount.NONE));
    }

    assertThat(ProgressText.plain(job, LastRun.NONE, 71_000))
        .containsExactly("wordcount, 1:10 min: 1 of 2 stages done");
  }

  @Test
  void theLastLineSaysWhatWasDoneAndWhereTheResultIs() {
    job.add(TestEvents.edges(13_500));
    job.add(TestEvents.finished(13_500, JobFinished.State.SUCCEEDED));

    assertThat(ProgressText.end(job, List.of("/tmp/counts/words-*"), Optional.of("/tmp/job.html")))
        .isEqualTo(
            "wordcount: done in 12.5 s; 1,200 rows and 34.0 kB between stages, 500 B spilled;"
                + " result: /tmp/counts/words-*; report: /tmp/job.html");
  }

  @Test
  void aJobThatFailedHasNoResult() {
    job.add(TestEvents.finished(13_500, JobFinished.State.FAILED));

    assertThat(ProgressText.end(job, List.of("/tmp/counts/words-*"), Optional.empty()))
        .isEqualTo("wordcount: failed after 12.5 s");
  }
}
