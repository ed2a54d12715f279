// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.terasort;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.evaluation.Trial;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The experiment as a user runs it, on 2 MB. */
class TeraSortMeasurementTest {
  @TempDir private Path directory;

  @Test
  @Tag("nightly")
  void sortsWithinItsBoundsAndReportsTimesMemoryAndEdges() throws Exception {
    Trial trial = sort();
    TeraSortMeasurement.Figures figures = trial.figures(TeraSortMeasurement.Figures.class);

    assertThat(figures.bytes()).isEqualTo(2_000_000);
    assertThat(figures.steps())
        .extracting(TeraSortMeasurement.Step::program)
        .containsExactly("teragen", "terasort", "teravalidate");
    assertThat(figures.steps())
        .allSatisfy(step -> assertThat(step.cost().peakResidentBytes()).isPositive());
    assertThat(figures.summary()).startsWith("edge ").contains("20,000");
    assertThat(figures.validation()).contains("records", "20000", "checksum");
    assertThat(trial.out())
        .contains("-Xmx256m -XX:MaxDirectMemorySize=64m", figures.summary().stripTrailing())
        .containsPattern("\\| terasort +\\| +[0-9.]+ \\|");
    assertThat(trial.results().resolve("input")).doesNotExist();
    assertThat(trial.results().resolve("sorted")).doesNotExist();
  }

  @Test
  void aProgramThatFailsIsReportedWithTheEndOfItsLog() throws Exception {
    Trial trial = sort("--nemo-option=--slots=0");
    assertThat(trial.exitCode()).isEqualTo(1);
    assertThat(trial.err()).contains("terasort failed with exit code", "--slots=0");
  }

  private Trial sort(String... more) throws IOException {
    return Trial.of(
        directory,
        Stream.concat(
                Stream.of("terasort", "--bytes=2m", "--heap=256m", "--off-heap=64m"),
                Stream.of(more))
            .toArray(String[]::new));
  }
}
