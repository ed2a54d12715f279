// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.samplingerror;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.anemone.evaluation.lab.data.Corpus;
import dev.anemone.examples.tpch.TpchSkew;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The experiment as a user runs it, on little data. */
class SamplingErrorExperimentTest {
  @TempDir private Path directory;
  private final StringWriter out = new StringWriter();

  @Test
  void theErrorFallsToNothingWhenAllTasksAreSampledAndDrawnRangesBeatHashing() throws Exception {
    SamplingErrorPlan plan =
        new SamplingErrorPlan(
            directory,
            Path.of("target", "test-tpch", "skewed-0.01").toAbsolutePath(),
            0.01,
            TpchSkew.parse("customers=0.25:20,orders=0.25:20"),
            Corpus.of(directory.resolve("corpus"), 200_000, 5_000, 1).text(),
            20,
            4,
            32,
            List.of(0.1, 0.5, 1.0));

    SamplingErrorFigures figures =
        new SamplingErrorExperiment(plan, new PrintWriter(out, true)).run();

    assertThat(figures.data())
        .extracting(SamplingErrorFigures.Data::name)
        .containsExactly("orders by customer", "words", "words, counted by task");
    for (SamplingErrorFigures.Data data : figures.data()) {
      assertThat(data.samples())
          .extracting(SamplingErrorFigures.Sample::sampledTasks)
          .containsExactly(2, 10, 20);
      assertThat(data.samples().get(0).error()).isGreaterThan(data.samples().get(1).error());
      assertThat(data.samples().get(1).error()).isPositive();
      assertThat(data.samples().get(2).error()).isZero();
      assertThat(data.samples().get(2).drawnMaxToMean())
          .isBetween(1.0, data.hashedMaxToMean())
          .isLessThan(1.1);
    }
    // 15,000 orders with keys and customers of two bytes and more.
    assertThat(figures.data().get(0).bytes()).isBetween(50_000L, 75_000L);
    assertThat(figures.data().get(1).bytes()).isGreaterThan(figures.data().get(2).bytes());
    assertThat(out.toString())
        .contains("20 producer tasks, 128 partitions, 4 consumer tasks", "0.01, skew customers=")
        .containsPattern("\\| orders by customer +\\| +0\\.1 \\| +10 % \\| +2 \\|");
    assertThat(directory.resolve(SamplingErrorExperiment.CHART_FILE)).isNotEmptyFile();
    assertThat(
            new ObjectMapper()
                .readValue(
                    directory.resolve(SamplingErrorExperiment.FIGURES_FILE).toFile(),
                    SamplingErrorFigures.class))
        .isEqualTo(figures);
  }
}
