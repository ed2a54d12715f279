// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.poolthroughput;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.anemone.evaluation.lab.OwnProgram;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The experiment as a user runs it, for some ms; what it finds says nothing. */
class ThroughputExperimentTest {
  @TempDir private Path directory;
  private final StringWriter out = new StringWriter();

  @Test
  void everySideThatWorksReadsAndWrites() throws Exception {
    ThroughputPlan plan =
        new ThroughputPlan(
            directory,
            OwnProgram.classPath(),
            List.of("-Xmx64m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"),
            directory,
            List.of(4 << 10, 64 << 10),
            List.of(1, 2),
            4,
            1,
            5,
            Optional.empty());

    ThroughputFigures figures = new ThroughputExperiment(plan, new PrintWriter(out, true)).run();

    assertThat(figures.sides()).contains("NIO", "tcp", "tcp, PMEM");
    assertThat(figures.cells()).hasSize(figures.sides().size() * 2 * 2 * 2);
    assertThat(figures.cells()).allSatisfy(cell -> assertThat(cell.median()).isPositive());
    assertThat(figures.notMeasured()).contains("ucx_perftest: not on the PATH");
    assertThat(figures.persistentMemory()).contains("PAGE_CACHE mapping of a file on ");
    assertThat(out.toString())
        .containsPattern("\\| WRITE, MB/s \\| threads \\| +NIO \\| +tcp \\|")
        .containsPattern("\\| 64 KB +\\| +2 \\|");
    assertThat(directory.resolve("read.png")).isNotEmptyFile();
    assertThat(
            new ObjectMapper()
                .readValue(
                    directory.resolve(ThroughputExperiment.FIGURES_FILE).toFile(),
                    ThroughputFigures.class))
        .isEqualTo(figures);
    assertThat(directory).isDirectoryNotContaining("glob:**anemone-throughput-*");
  }

  @Test
  void theRateOfUcxPerftestIsThatOfItsLineOfFigures() {
    String output =
        """
        iterations,50.0_percentile_lat,avg_lat,overall_lat,avg_bw,overall_bw,avg_mr,overall_mr
        20000,1.613,7.299,7.299,8562.53,8000.00,137000,137000
        """;

    assertThat(UcxPerftest.rate(output, 20_000)).hasValue(8_000.0 * (1 << 20));
    assertThat(UcxPerftest.rate(output, 30_000)).isEmpty();
  }
}
