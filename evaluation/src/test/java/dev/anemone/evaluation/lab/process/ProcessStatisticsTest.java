// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.evaluation.lab.process.MeasuredProcess.ProcessStatistics;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProcessStatisticsTest {
  /**
   * As proc(5) describes it: 13 fields, the four times, and more. The name is chosen to deceive.
   */
  private static final String STAT =
      "42 (a ) R 1 2) S 1 42 42 0 -1 4194560 900 800 7 6 250 31 12 4 20 0 9 0 5000 1 2 3\n";

  @Test
  void addsTheTimesOfEndedChildren() throws IOException {
    ProcessStatistics statistics = ProcessStatistics.parse(STAT, "Name:\ta\nVmHWM:\t   2048 kB\n");

    assertThat(statistics)
        .isEqualTo(
            new ProcessStatistics(Duration.ofMillis(2_620), Duration.ofMillis(350), 2048 * 1024));
  }

  @Test
  void keepsThePeakOfAProcessThatHasGivenItsMemoryBack() throws IOException {
    ProcessStatistics earlier =
        new ProcessStatistics(Duration.ofMillis(10), Duration.ofMillis(20), 4096);

    ProcessStatistics last = ProcessStatistics.parse(STAT, "Name:\ta\nState:\tZ (zombie)\n");

    assertThat(last.peakResidentBytes()).isZero();
    assertThat(last.after(earlier))
        .isEqualTo(new ProcessStatistics(Duration.ofMillis(2_620), Duration.ofMillis(350), 4096));
  }

  @Test
  void readsTheFiguresOfThisProcess() throws IOException {
    ProcessStatistics own = ProcessStatistics.read(ProcessHandle.current().pid()).orElseThrow();

    assertThat(own.userCpu()).isPositive();
    assertThat(own.peakResidentBytes()).isGreaterThan(10L << 20);
  }

  @Test
  void hasNoFiguresOfAProcessThatIsNotThere() throws IOException {
    assertThat(ProcessStatistics.read(Integer.MAX_VALUE)).isEmpty();
  }

  @Test
  void refusesWhatIsNotFromLinux() {
    assertThatThrownBy(() -> ProcessStatistics.parse("42 (a) S 1", ""))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("42 (a) S 1");
  }
}
