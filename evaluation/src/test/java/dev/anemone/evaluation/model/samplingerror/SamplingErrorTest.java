// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.samplingerror;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.evaluation.Trial;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The experiment as a user runs it, on little data. */
class SamplingErrorTest {
  @TempDir private Path directory;

  @Test
  void theErrorFallsToNothingWhenAllTasksAreSampledAndDrawnRangesBeatHashing() throws Exception {
    Trial trial =
        Trial.of(
            directory,
            "sampling-error",
            "--scale=0.01",
            "--bytes=200k",
            "--words=5000",
            "--producers=20",
            "--consumers=4",
            "--multiplier=32",
            "--rates=10,50,100");
    SamplingError.Figures figures = trial.figures(SamplingError.Figures.class);

    assertThat(figures.data())
        .extracting(SamplingError.Data::name)
        .containsExactly("orders by customer", "words", "words, counted by task");
    for (SamplingError.Data data : figures.data()) {
      assertThat(data.samples())
          .extracting(SamplingError.Sample::sampledTasks)
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
    assertThat(trial.out())
        .contains("20 producer tasks, 128 partitions, 4 consumer tasks", "0.01, skew customers=")
        .containsPattern("\\| orders by customer +\\| +0\\.1 \\| +10 % \\| +2 \\|");
    assertThat(trial.results().resolve(SamplingError.CHART_FILE)).isNotEmptyFile();
  }
}
