// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.startup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.evaluation.Trial;
import dev.anemone.evaluation.lab.report.Summary;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The promise is under 400 ms, on an idle machine. Builds share theirs, and other programs can only
 * add to a time: so one query must keep the promise, and the median a wider bound.
 */
class WarmQueryTest {
  private static final int LATER_QUERIES = 10;
  private static final double PROMISED_SECONDS = 0.4;
  private static final double SECONDS_ON_A_BUSY_MACHINE = 1.6;

  @TempDir private Path directory;

  @Test
  void aQueryAfterTheFirstTakesLessThanPromised() throws Exception {
    Trial trial = Trial.of(directory, "warm-query", "--runs=" + LATER_QUERIES);
    WarmQuery.Figures figures = trial.figures(WarmQuery.Figures.class);
    assertThat(figures.laterSeconds()).as(figures.toString()).hasSize(LATER_QUERIES);
    Summary later = Summary.of(figures.laterSeconds());
    assertThat(later.min()).as(figures.toString()).isLessThan(PROMISED_SECONDS);
    assertThat(later.median()).as(figures.toString()).isLessThan(SECONDS_ON_A_BUSY_MACHINE);
  }
}
