// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.poolthroughput;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.evaluation.Trial;
import dev.anemone.evaluation.compare.poolthroughput.ThroughputFigures.ThroughputTables;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The experiment as a user runs it, for some ms; what it finds says nothing. */
class PoolThroughputTest {
  @TempDir private Path directory;

  @Test
  @Tag("nightly")
  void everySideThatWorksReadsAndWrites() throws Exception {
    Trial trial =
        Trial.of(
            directory,
            "pool-throughput",
            "--sizes-kb=64",
            "--threads=2",
            "--window=4",
            "--runs=1",
            "--ms=5",
            "--pmem=" + directory);
    ThroughputFigures figures = trial.figures(ThroughputFigures.class);

    assertThat(figures.sides()).contains("NIO", "tcp", "tcp, PMEM");
    List<String> ours =
        figures.sides().stream()
            .filter(side -> !side.startsWith(ThroughputTables.PERFTEST))
            .toList();
    assertThat(figures.cells())
        .filteredOn(cell -> ours.contains(cell.side()))
        .hasSize(ours.size() * 2);
    assertThat(figures.cells()).allSatisfy(cell -> assertThat(cell.median()).isPositive());
    assertThat(figures.notMeasured().contains("ucx_perftest: not on the PATH"))
        .isEqualTo(UcxPerftest.found().isEmpty());
    assertThat(figures.persistentMemory()).contains("PAGE_CACHE mapping of a file on ");
    assertThat(trial.out())
        .containsPattern("\\| WRITE, MB/s \\| threads \\| +NIO \\| +tcp \\|")
        .containsPattern("\\| 64 KB +\\| +2 \\|");
    assertThat(trial.results().resolve("read.png")).isNotEmptyFile();
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
