// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.runtime.engine.EdgeCounters;
import dev.anemone.runtime.engine.Redraw;
import dev.anemone.runtime.engine.TaskReport;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobFilesTest {

  @TempDir Path directory;

  private JobFiles files() throws IOException {
    return JobFiles.of(directory.toUri().toString());
  }

  private static JobFiles.TaskReports reports(int task, int value) {
    EdgeCounters counters =
        EdgeCounters.of(List.of(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L, 11L, 10L * value));
    return new JobFiles.TaskReports(
        List.of(new TaskReport("v", task, new byte[] {(byte) value})),
        Map.of("e1", counters),
        Map.of("e0", 100L * value));
  }

  @Test
  void countersOfAnEdgeAreAddedUpOverItsTasks() throws IOException {
    files().writeReports("stage0", 1, reports(1, 1));
    files().writeReports("stage1", 1, reports(1, 2));
    assertThat(files().readReports().edges())
        .containsExactly(
            Map.entry(
                "e1",
                EdgeCounters.of(List.of(2L, 4L, 6L, 8L, 10L, 12L, 14L, 16L, 18L, 20L, 22L, 20L))));
  }

  @Test
  void whatTasksReadIsListedByTask() throws IOException {
    files().writeReports("stage0", 10, reports(10, 1));
    files().writeReports("stage0", 9, reports(9, 2));
    files().writeReports("stage0", 0, reports(0, 3));
    assertThat(files().readReports().readBytes())
        .containsExactly(Map.entry("e0", List.of(300L, 200L, 100L)));
  }

  @Test
  void whatCameOfASampleIsReadAsItWasWritten() throws IOException {
    Redraw redraw =
        new Redraw(
            "count/sizes",
            List.of(new Redraw.Shuffle("e1+e2", List.of(5L, 1L), List.of(3L, 3L))),
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
    assertThat(files().readLastFailure(getClass().getClassLoader()))
        .get()
        .extracting(failure -> failure.failure().getMessage())
        .isEqualTo("pass");
  }

  @Test
  void reportsAreSeenAsTheyCome() throws IOException {
    ArrivingReports arriving = new ArrivingReports(files());
    assertThat(arriving.soFar()).isEmpty();
    files().writeReports("stage0", 1, reports(1, 1));
    assertThat(arriving.soFar())
        .usingRecursiveFieldByFieldElementComparator()
        .containsExactly(new TaskReport("v", 1, new byte[] {1}));
    files().writeReports("stage0", 2, reports(2, 3));
    assertThat(arriving.soFar()).extracting(TaskReport::taskIndex).containsExactly(1, 2);
    files().delete();
    assertThat(arriving.soFar()).extracting(TaskReport::taskIndex).containsExactly(1, 2);
  }

  @Test
  void aLaterAttemptReplacesTheReportsOfAnEarlierOne() throws IOException {
    files().writeReports("stage0", 1, reports(1, 1));
    files().writeReports("stage0", 1, reports(1, 2));
    files().writeReports("stage0", 2, reports(2, 3));
    assertThat(files().readReports().reports())
        .usingRecursiveFieldByFieldElementComparator()
        .containsExactly(
            new TaskReport("v", 1, new byte[] {2}), new TaskReport("v", 2, new byte[] {3}));
  }

  @Test
  void theFailureOfTheLastAttemptIsTheOneThatCounts() throws IOException {
    assertThat(files().readLastFailure(getClass().getClassLoader())).isEmpty();
    files().writeFailure("stage9", 0, 1, new IllegalStateException("last"));
    files().writeFailure("stage1", 0, 0, new IllegalStateException("first"));
    assertThat(files().readLastFailure(getClass().getClassLoader()))
        .get()
        .extracting(failure -> failure.failure().getMessage())
        .isEqualTo("last");
  }

  @Test
  void anExceptionThatCannotTravelIsDescribed() throws IOException {
    files().writeFailure("stage0", 0, 0, new Unserializable("why", new IOException("root")));
    Throwable read = files().readLastFailure(getClass().getClassLoader()).orElseThrow().failure();
    assertThat(read).hasMessageContaining("Unserializable: why");
    assertThat(read.getCause()).hasMessageContaining("java.io.IOException: root");
    assertThat(read.getStackTrace()[0].getMethodName())
        .isEqualTo("anExceptionThatCannotTravelIsDescribed");
  }

  @Test
  void whatHadToEndSaysNothing() throws IOException {
    files().writeFailure("stage0", 0, 0, new IllegalStateException("the reason"));
    files().writeFailure("stage0", 1, 1, new InterruptedException());
    files().writeFailure("stage0", 2, 1, new IOException(new ClosedByInterruptException()));
    assertThat(files().readLastFailure(getClass().getClassLoader()).orElseThrow().describe())
        .isEqualTo("task 0 of stage0, attempt 0");
  }

  private static final class Unserializable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings({"unused", "serial", "UnusedVariable"}) // what makes it unserializable
    private final Object field = new Object();

    Unserializable(String message, Throwable cause) {
      super(message, cause);
    }
  }
}
