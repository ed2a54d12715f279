// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MeasuredProcessTest {
  private static final Duration AMPLE = Duration.ofMinutes(2);

  @TempDir private Path directory;

  @Test
  void countsTheProcessorTimeAndTheMemoryOfTheProcess() throws Exception {
    ProcessFigures idle = run(AMPLE, 0, 0, 0);
    ProcessFigures busy = run(AMPLE, 1_500, 200, 0);

    assertThat(busy.cost().userCpuSeconds()).isGreaterThan(1.4);
    assertThat(busy.cost().userCpuSeconds() - idle.cost().userCpuSeconds()).isLessThan(4);
    assertThat(busy.cost().wallSeconds()).isGreaterThan(1.5);
    assertThat(busy.cost().peakResidentBytes()).isGreaterThan(200L << 20);
    assertThat(idle.cost().peakResidentBytes()).isBetween(10L << 20, 150L << 20);
  }

  @Test
  void handsOnTheExitCodeAndKeepsTheOutput() throws Exception {
    ProcessFigures figures = run(AMPLE, 0, 4, 3);

    assertThat(figures.exitCode()).isEqualTo(OptionalInt.of(3));
    assertThat(figures.succeeded()).isFalse();
    assertThat(Files.readString(log())).contains("touched 1024 pages");
  }

  @Test
  void killsAProcessThatIsNotDoneAtItsDeadline() throws Exception {
    Duration deadline = Duration.ofSeconds(2);

    ProcessFigures figures = run(deadline, 0, 0, -1);

    assertThat(figures.exitCode()).isEmpty();
    assertThat(figures.succeeded()).isFalse();
    assertThat(figures.cost().wallSeconds()).isGreaterThanOrEqualTo(2);
    assertThat(figures.problem()).contains("killed after 2 s");
    assertThat(ProcessHandle.current().children()).isEmpty();
  }

  @Test
  void lastMessagesLeaveOutStackFrames() throws Exception {
    Files.writeString(
        log(),
        "first\nException: no\n\tat a.B.c(B.java:1)\nCaused by: d\n\tat e.F(F.java:2)\n\t... 3 more\n");

    assertThat(MeasuredProcess.lastMessages(log(), 2)).isEqualTo("Exception: no\nCaused by: d");
    assertThat(MeasuredProcess.lastMessages(log(), 9)).startsWith("first\n");
  }

  private ProcessFigures run(Duration deadline, int milliseconds, int megabytes, int exitCode)
      throws Exception {
    JavaProgram program =
        JavaProgram.of(
            BusyProgram.class,
            System.getProperty("java.class.path"),
            List.of("-Xmx400m"),
            milliseconds,
            megabytes,
            exitCode);
    return MeasuredProcess.run(program.command(), directory, log(), deadline);
  }

  private Path log() {
    return directory.resolve("log");
  }
}
