// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.terasort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.lab.NemoJvm;
import dev.anemone.evaluation.lab.OwnProgram;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The experiment as a user runs it, on 2 MB. */
class TeraSortExperimentTest {
  @TempDir private Path directory;
  private final StringWriter out = new StringWriter();

  @Test
  void sortsWithinItsBoundsAndReportsTimesMemoryAndEdges() throws Exception {
    TeraSortFigures figures = sort(List.of());

    assertThat(figures.bytes()).isEqualTo(2_000_000);
    assertThat(figures.steps())
        .extracting(TeraSortStep::program)
        .containsExactly("teragen", "terasort", "teravalidate");
    assertThat(figures.steps())
        .allSatisfy(step -> assertThat(step.peakResidentBytes()).isPositive());
    assertThat(figures.summary()).startsWith("edge ").contains("20,000");
    assertThat(figures.validation()).contains("records", "20000", "checksum");
    assertThat(out.toString())
        .contains("-Xmx256m -XX:MaxDirectMemorySize=64m", figures.summary())
        .containsPattern("\\| terasort +\\| +[0-9.]+ \\|");
    assertThat(directory.resolve(TeraSortExperiment.FIGURES_FILE)).isNotEmptyFile();
    assertThat(directory.resolve("input")).doesNotExist();
    assertThat(directory.resolve("sorted")).doesNotExist();
  }

  @Test
  void aProgramThatFailsIsReportedWithTheEndOfItsLog() {
    assertThatThrownBy(() -> sort(List.of("--slots=0")))
        .isInstanceOf(ExperimentFailure.class)
        .hasMessageContaining("terasort failed with exit code")
        .hasMessageContaining("--slots=0");
  }

  private TeraSortFigures sort(List<String> runnerOptions)
      throws IOException, InterruptedException {
    TeraSortPlan plan =
        new TeraSortPlan(
            directory,
            OwnProgram.classPath(),
            20_000,
            "256m",
            64,
            NemoJvm.options(),
            runnerOptions,
            Duration.ofMinutes(3));
    return new TeraSortExperiment(plan, new PrintWriter(out, true)).run();
  }
}
