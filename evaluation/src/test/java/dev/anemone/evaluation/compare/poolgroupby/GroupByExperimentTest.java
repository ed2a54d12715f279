// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.poolgroupby;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.evaluation.lab.OwnProgram;
import dev.anemone.evaluation.lab.workload.ShuffleShape;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The experiment as a user runs it, on 1 MB. */
class GroupByExperimentTest {
  @TempDir private Path directory;
  private final StringWriter out = new StringWriter();

  @Test
  void bothProgramsRunOnAllSides() throws Exception {
    GroupByPlan plan =
        new GroupByPlan(
            directory,
            OwnProgram.classPath(),
            ShuffleShape.ofBytes(2, 2, 1 << 20, 1),
            1_000,
            100,
            "tcp",
            64,
            OwnProgram.jvmOptions(),
            1,
            Duration.ofMinutes(5));

    GroupByFigures figures = new GroupByExperiment(plan, new PrintWriter(out, true)).run();

    assertThat(figures.runs())
        .extracting(run -> run.program() + " " + run.side())
        .containsExactly(
            "group-by files",
            "group-by push",
            "broadcast files",
            "group-by pool",
            "broadcast pool");
    assertThat(figures.runs()).allSatisfy(run -> assertThat(run.seconds()).isPositive());
    assertThat(out.toString()).containsPattern("\\| group-by +\\| +pool \\| +1 \\|");
    assertThat(directory.resolve(GroupByExperiment.FIGURES_FILE)).isNotEmptyFile();
  }
}
