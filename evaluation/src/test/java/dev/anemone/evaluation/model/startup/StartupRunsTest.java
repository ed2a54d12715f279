// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.startup;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The promise is a median of under 300 ms, on an idle machine. Builds share theirs, and other
 * programs can only add to a time: so one run must keep the promise, and the median a wider bound.
 */
class StartupRunsTest {
  private static final int LATER_RUNS = 15;
  private static final double PROMISED_MILLISECONDS = 300;
  private static final double MILLISECONDS_ON_A_BUSY_MACHINE = 1_200;

  @Test
  void aTrivialPipelineAfterTheFirstTakesLessThanPromised() {
    StartupFigures figures = StartupRuns.measure(LATER_RUNS, List.of("--slots=1"));

    assertThat(figures.laterMilliseconds()).as(figures.toString()).hasSize(LATER_RUNS);
    assertThat(figures.later().min()).as(figures.toString()).isLessThan(PROMISED_MILLISECONDS);
    assertThat(figures.later().median())
        .as(figures.toString())
        .isLessThan(MILLISECONDS_ON_A_BUSY_MACHINE);
  }
}
