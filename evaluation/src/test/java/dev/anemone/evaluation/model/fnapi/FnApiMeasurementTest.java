// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.fnapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.evaluation.Trial;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The experiment as a user runs it, with few elements; what it finds says nothing. */
class FnApiMeasurementTest {

  @TempDir private Path directory;

  @Test
  void allElementsComeBackOnBothWays() throws Exception {
    Trial trial = Trial.of(directory, "fn-api", "--elements=5000", "--warm-up=1", "--runs=2");

    FnApiMeasurement.Figures figures = trial.figures(FnApiMeasurement.Figures.class);
    assertThat(figures.beamNanoseconds()).hasSize(2).allMatch(time -> time > 0);
    assertThat(figures.anemoneNanoseconds()).hasSize(2).allMatch(time -> time > 0);
    assertThat(trial.out()).contains("DefaultJobBundleFactory alone", "stage of NemoRunner");
  }
}
