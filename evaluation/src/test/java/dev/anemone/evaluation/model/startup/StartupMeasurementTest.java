// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.startup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.evaluation.Trial;
import dev.anemone.evaluation.lab.report.Summary;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The promise is a median of under 300 ms, on an idle machine. Builds share theirs, and other
 * programs can only add to a time: so one run must keep the promise, and the median a wider bound.
 */
class StartupMeasurementTest {
  private static final int LATER_RUNS = 15;
  private static final double PROMISED_MILLISECONDS = 300;
  private static final double MILLISECONDS_ON_A_BUSY_MACHINE = 1_200;

  @TempDir private Path directory;

  @Test
  void aTrivialPipelineAfterTheFirstTakesLessThanPromised() throws Exception {
    Trial trial = Trial.of(directory, "startup", "--runs=" + LATER_RUNS, "--nemo-option=--slots=1");
    StartupMeasurement.Figures figures = trial.figures(StartupMeasurement.Figures.class);
    assertThat(figures.laterMilliseconds()).as(figures.toString()).hasSize(LATER_RUNS);
    Summary later = Summary.of(figures.laterMilliseconds());
    assertThat(later.min()).as(figures.toString()).isLessThan(PROMISED_MILLISECONDS);
    assertThat(later.median()).as(figures.toString()).isLessThan(MILLISECONDS_ON_A_BUSY_MACHINE);
    assertThat(trial.out()).containsPattern("\\| NemoRunner +\\| +[0-9]+ \\| +15 \\|");
  }
}
