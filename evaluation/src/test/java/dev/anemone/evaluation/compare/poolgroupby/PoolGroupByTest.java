// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.poolgroupby;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.evaluation.Trial;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The experiment as a user runs it, on 1 MB. */
class PoolGroupByTest {
  @TempDir private Path directory;

  @Test
  void bothProgramsRunOnAllSides() throws Exception {
    Trial trial =
        Trial.of(
            directory,
            "pool-groupby-broadcast",
            "--bytes=1m",
            "--broadcast-bytes=1m",
            "--tasks=2",
            "--lookups=100",
            "--runs=1");
    PoolGroupBy.Figures figures = trial.figures(PoolGroupBy.Figures.class);

    assertThat(figures.runs())
        .extracting(run -> run.program() + " " + run.side())
        .containsExactly(
            "group-by files",
            "group-by push",
            "broadcast files",
            "group-by pool",
            "broadcast pool");
    assertThat(figures.runs()).allSatisfy(run -> assertThat(run.cost().wallSeconds()).isPositive());
    assertThat(trial.out()).containsPattern("\\| group-by +\\| +pool \\| +1 \\|");
  }
}
