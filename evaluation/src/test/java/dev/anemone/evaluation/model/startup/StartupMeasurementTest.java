// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.startup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.evaluation.Trial;
import dev.anemone.evaluation.lab.report.Summary;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The promise is a median of under 300 ms, on an idle machine. Where other programs run beside, the
 * first run takes longer as well: a later one, at its best, is then as many times shorter than the
 * first one as it is on an idle machine, where the first takes four and a half seconds.
 */
class StartupMeasurementTest {
  private static final int LATER_RUNS = 15;
  private static final double PROMISED_MILLISECONDS = 300;
  private static final double FIRST_TO_LATER = 15;

  @TempDir private Path directory;

  @Test
  void aTrivialPipelineAfterTheFirstTakesLessThanPromised() throws Exception {
    Trial trial = Trial.of(directory, "startup", "--runs=" + LATER_RUNS, "--nemo-option=--slots=1");
    StartupMeasurement.Figures figures = trial.figures(StartupMeasurement.Figures.class);
    assertThat(figures.laterMilliseconds()).as(figures.toString()).hasSize(LATER_RUNS);
    assertThat(Summary.of(figures.laterMilliseconds()).min())
        .as(figures.toString())
        .isLessThan(Math.max(PROMISED_MILLISECONDS, figures.firstMilliseconds() / FIRST_TO_LATER));
    assertThat(trial.out()).containsPattern("\\| NemoRunner +\\| +[0-9]+ \\| +15 \\|");
  }
}
