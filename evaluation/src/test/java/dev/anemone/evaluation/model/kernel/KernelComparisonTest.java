// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.anemone.evaluation.lab.OwnProgram;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The comparison as a user runs it, on 200 KB; what it finds says nothing. */
class KernelComparisonTest {
  @TempDir private Path directory;
  private final StringWriter out = new StringWriter();

  @Test
  void bothKernelsAreMeasuredWithoutAndWithCompression() throws Exception {
    KernelFigures figures =
        new KernelComparison(directory, OwnProgram.jvmOptions(), new PrintWriter(out, true))
            .run(200_000, 3, 16 << 20, 1);

    assertThat(figures.kernels())
        .extracting(kernel -> kernel.kernel() + (kernel.compressed() ? " compressed" : ""))
        .containsExactlyInAnyOrder("ANEMONE", "ANEMONE compressed", "TEZ", "TEZ compressed");
    assertThat(figures.kernels())
        .allSatisfy(
            kernel -> {
              assertThat(kernel.seconds()).singleElement().isNotEqualTo(0.0);
              assertThat(kernel.allocatedBytes()).isPositive();
            });
    assertThat(out.toString())
        .contains("200,000 bytes, 2,000 records, 3 partitions, 16,777,216 bytes of memory")
        .containsPattern("\\| Tez +\\| +none \\| +1 \\|.* 1.00 \\|");
    assertThat(
            new ObjectMapper()
                .readValue(
                    directory.resolve(KernelComparison.FIGURES_FILE).toFile(), KernelFigures.class))
        .isEqualTo(figures);
  }
}
