// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.ndpscan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.evaluation.Trial;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The experiment on a few MB; what it finds of times says nothing. */
@Tag("nightly")
class NdpScanTest {
  @TempDir private Path directory;

  @Test
  void bothSidesKeepTheSameFewRows() throws Exception {
    Trial trial = Trial.of(directory, "ndp-scan", "--scale=0.01", "--runs=2");
    NdpScan.Figures figures = trial.figures(NdpScan.Figures.class);

    assertThat(figures.rows()).isBetween(1L, 600L);
    assertThat(figures.proxySeconds()).hasSize(2).allMatch(seconds -> seconds > 0);
    assertThat(figures.duckDbSeconds()).hasSize(2).allMatch(seconds -> seconds > 0);
    assertThat(trial.out())
        .containsPattern("\\| proxy, 1 core +\\| +2 \\|")
        .contains("of DuckDB's rate");
    assertThat(trial.results().resolve("work")).doesNotExist();
  }
}
