// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.ndpscan;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The experiment on a few MB; what it finds of times says nothing. */
class ScanExperimentTest {
  @TempDir private Path directory;

  @Test
  void bothSidesKeepTheSameFewRows() throws Exception {
    StringWriter out = new StringWriter();
    Path data = Path.of("target", "test-tpch", "plain-0.01").toAbsolutePath();

    ScanFigures figures =
        new ScanExperiment(
                new ScanPlan(directory, data, 0.01, 2),
                new PrintWriter(out, true),
                new PrintWriter(new StringWriter()))
            .run();

    assertThat(figures.rows()).isBetween(1L, 600L);
    assertThat(figures.proxySeconds()).hasSize(2).allMatch(seconds -> seconds > 0);
    assertThat(figures.duckDbSeconds()).hasSize(2).allMatch(seconds -> seconds > 0);
    assertThat(out.toString())
        .containsPattern("\\| proxy, 1 core +\\| +2 \\|")
        .contains("of DuckDB's rate");
    assertThat(directory.resolve("work")).doesNotExist();
  }
}
