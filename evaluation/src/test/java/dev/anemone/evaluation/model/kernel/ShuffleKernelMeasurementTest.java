// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.evaluation.Trial;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The comparison as a user runs it, on 200 KB; what it finds says nothing. */
class ShuffleKernelMeasurementTest {
  @TempDir private Path directory;

  @Test
  void bothKernelsAreMeasuredWithoutAndWithCompression() throws Exception {
    Trial trial =
        Trial.of(
            directory,
            "shuffle-kernel",
            "--bytes=200k",
            "--partitions=3",
            "--memory=16m",
            "--heap=512m",
            "--runs=1");
    ShuffleKernelMeasurement.Figures figures =
        trial.figures(ShuffleKernelMeasurement.Figures.class);

    assertThat(figures.kernels())
        .extracting(kernel -> kernel.kernel() + (kernel.compressed() ? " compressed" : ""))
        .containsExactlyInAnyOrder("ANEMONE", "ANEMONE compressed", "TEZ", "TEZ compressed");
    assertThat(figures.kernels())
        .allSatisfy(
            kernel -> {
              assertThat(kernel.seconds()).singleElement().isNotEqualTo(0.0);
              assertThat(kernel.allocatedBytes()).isPositive();
            });
    assertThat(trial.out())
        .contains("200,000 bytes, 2,000 records, 3 partitions, 16,777,216 bytes of memory")
        .containsPattern("\\| Tez +\\| +none \\| +1 \\|.* 1.00 \\|");
  }
}
