// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.runtime.engine.EdgeCounters;
import dev.anemone.runtime.engine.Redraw;
import dev.anemone.runtime.engine.TaskReport;
import dev.anemone.runtime.event.RangesRedrawn.HotPartition;
import dev.anemone.runtime.spi.DataPlaneFailure;
import dev.anemone.runtime.tez.directory.LocalJobDirectory;
import dev.anemone.runtime.transfer.lineage.TaskLineage;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobFilesTest {

  @TempDir Path directory;

  @BeforeEach
  void create() throws IOException {
    new LocalJobDirectory(directory.resolve("job")).create();
  }

  private JobFiles files() throws IOException {
    return JobFiles.of(directory.resolve("job").toUri().toString());
  }

  private void report(String stage, int task, int attempt, JobFiles.TaskReports reports)
      throws IOException {
    try (ReportLog log = files().beginReports()) {
      log.write(stage, task, attempt, reports);
    }
  }

  private static JobFiles.TaskReports reports(int task, int value) {
    EdgeCounters counters =
        EdgeCounters.of(
            LongStream.concat(LongStream.rangeClosed(1, 21), LongStream.of(10L * value))
                .boxed()
                .toList());
    return new JobFiles.TaskReports(
        List.of(new TaskReport("v", task, new byte[] {(byte) value})),
        Map.of("e1", counters),
        Map.of("e0", 100L * value),
        new TaskLineage(Map.of(), Map.of()));
  }

  @Test
  void countersOfAnEdgeAreAddedUpOverItsTasks() throws IOException {
    report("stage0", 1, 0, reports(1, 1));
    report("stage1", 1, 0, reports(1, 2));
    assertThat(files().readReports().edges())
        .containsExactly(
            Map.entry(
                "e1",
                EdgeCounters.of(
                    LongStream.concat(
                            LongStream.rangeClosed(1, 21).map(value -> 2 * value),
                            LongStream.of(20))
                        .boxed()
                        .toList())));
  }

  @Test
  void whatTasksReadIsListedByTask() throws IOException {
    report("stage0", 10, 0, reports(10, 1));
    report("stage0", 9, 0, reports(9, 2));
    report("stage0", 0, 0, reports(0, 3));
    assertThat(files().readReports().readBytes())
        .containsExactly(Map.entry("e0", List.of(300L, 200L, 100L)));
  }

  @Test
  void whatCameOfASampleIsReadAsItWasWritten() throws IOException {
    Redraw redraw =
        new Redraw(
            "count/sizes",
            List.of(
                new Redraw.Shuffle(
                    "e1+e2",
                    List.of(5L, 1L),
                    List.of(3L, 3L),
                    4,
                    List.of(new HotPartition(1, 5, 2)))),
            2,
            38,
            120,
            7,
            List.of("a note"));
    files().writeRedraw(redraw);
    files().writeRedraw(redraw);
    assertThat(files().readReports().redraws()).containsExactly(redraw);
  }

  @Test
  void whatEndsTheMasterCountsMoreThanWhatEndedAnAttempt() throws IOException {
    files().writeMasterFailure("stage1", new IllegalStateException("pass"));
    files().writeFailure("stage9", 0, 3, new IllegalStateException("task"));
    assertThat(shown(Optional.of(new FailedTask("stage9", 0))))
        .get()
        .extracting(Throwable::getMessage)
        .isEqualTo("pass");
  }

  @Test
  void reportsAreSeenAsTheyCome() throws IOException {
    ArrivingReports arriving = new ArrivingReports(files());
    assertThat(arriving.soFar()).isEmpty();
    report("stage0", 1, 0, reports(1, 1));
    assertThat(arriving.soFar())
        .usingRecursiveFieldByFieldElementComparator()
        .containsExactly(new TaskReport("v", 1, new byte[] {1}));
    report("stage0", 2, 0, reports(2, 3));
    assertThat(arriving.soFar()).extracting(TaskReport::taskIndex).containsExactly(1, 2);
    files().delete();
    assertThat(arriving.soFar()).extracting(TaskReport::taskIndex).containsExactly(1, 2);
  }

  @Test
  void aLaterAttemptReplacesTheReportsOfAnEarlierOne() throws IOException {
    report("stage0", 1, 2, reports(1, 2));
    report("stage0", 1, 0, reports(1, 1));
    report("stage0", 2, 0, reports(2, 3));
    assertThat(files().readReports().reports())
        .usingRecursiveFieldByFieldElementComparator()
        .containsExactly(
            new TaskReport("v", 1, new byte[] {2}), new TaskReport("v", 2, new byte[] {3}));
  }

  @Test
  void theFirstFailureOfTheTaskThatFailedIsTheOneThatCounts() throws IOException {
    Optional<FailedTask> failed = Optional.of(new FailedTask("stage-1", 1));
    assertThat(shown(failed)).isEmpty();
    files().writeFailure("stage-1", 1, 1, new IllegalStateException("second"));
    files().writeFailure("stage-1", 1, 0, new IllegalStateException("first"));
    files().writeFailure("1", 1, 0, new IllegalStateException("of another stage"));
    files().writeFailure("stage-1", 11, 2, new IllegalStateException("of another task"));
    assertThat(shown(failed)).get().extracting(Throwable::getMessage).isEqualTo("first");
    assertThat(shown(Optional.of(new FailedTask("stage-2", 0)))).isEmpty();
  }

  @Test
  void whereNobodyKnowsWhichTaskFailedItIsTheOneWithMostAttempts() throws IOException {
    files().writeFailure("stage9", 0, 0, new IllegalStateException("first"));
    files().writeFailure("stage9", 0, 1, new IllegalStateException("second"));
    files().writeFailure("stage1", 0, 0, new IllegalStateException("of another"));
    assertThat(shown(Optional.empty())).get().extracting(Throwable::getMessage).isEqualTo("first");
  }

  @Test
  void whatTheDataPlaneIsToBlameForCountsWhereThereIsNothingElse() throws IOException {
    Optional<FailedTask> failed = Optional.of(new FailedTask("stage1", 0));
    files().writeFailure("stage1", 0, 0, new IOException("edge", lost("a")));
    files().writeFailure("stage1", 0, 1, new IOException("edge", lost("b")));
    assertThat(shown(failed)).get().extracting(e -> e.getCause().getMessage()).isEqualTo("b");
    files().writeFailure("stage1", 0, 2, new Unserializable("of user code", null));
    files().writeFailure("stage1", 0, 3, new IllegalStateException("after it"));
    assertThat(shown(failed).orElseThrow()).hasMessageContaining("of user code");
  }

  private static IOException lost(String what) {
    return new LostData(what);
  }

  private static final class LostData extends IOException implements DataPlaneFailure {
    private static final long serialVersionUID = 1L;

    LostData(String message) {
      super(message);
    }
  }

  private Optional<Throwable> shown(Optional<FailedTask> failed) throws IOException {
    return files()
        .readFailure(failed, getClass().getClassLoader())
        .map(JobFiles.AttemptFailure::failure);
  }

  @Test
  void anExceptionThatCannotTravelIsDescribed() throws IOException {
    files().writeFailure("stage0", 0, 0, new Unserializable("why", new IOException("root")));
    Throwable read = shown(Optional.empty()).orElseThrow();
    assertThat(read).hasMessageContaining("Unserializable: why");
    assertThat(read.getCause()).hasMessageContaining("java.io.IOException: root");
    assertThat(read.getStackTrace()[0].getMethodName())
        .isEqualTo("anExceptionThatCannotTravelIsDescribed");
  }

  private static final class Unserializable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings({"unused", "serial", "UnusedVariable"}) // what makes it unserializable
    private final Object field = new Object();

    Unserializable(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /** A job of thousands of tasks would make, rename and delete as many files. */
  @Test
  void whatTasksOfThisMachineReportMakesNoFiles() throws IOException {
    report("stage0", 0, 0, reports(0, 1));
    files().writeFailure("stage0", 1, 0, new IllegalStateException("broken"));
    assertThat(directory.resolve("job")).isEmptyDirectory();
    assertThat(files().readReports().reports()).hasSize(1);
  }

  @Test
  void aTaskThatOutlivesItsJobReportsNothing() throws IOException {
    JobFiles files = files();
    ReportLog log = files.beginReports();
    files.delete();
    assertThat(files.exist()).isFalse();
    assertThatThrownBy(() -> log.write("stage0", 0, 0, reports(0, 1)))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("the job has ended");
  }
}
