// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.robust.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The experiment as a user runs it, with two jobs. */
class SoakExperimentTest {
  private static final int SECONDS = 240;

  @TempDir private Path results;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void jobsWhoseContainersAreKilledHaveTheRightAnswer() throws Exception {
    SoakPlan plan =
        new SoakPlan(
            results,
            2,
            2,
            List.of("LargeShuffle"),
            List.of(SoakFault.KILLED_CONTAINER),
            7,
            SECONDS,
            List.of());

    SoakFigures figures =
        new SoakExperiment(plan, new PrintWriter(out, true), new PrintWriter(err, true)).run();

    assertThat(figures.jobs())
        .as(err.toString())
        .extracting(SoakFigures.Job::outcome, SoakFigures.Job::problem)
        .containsOnly(tuple(SoakFigures.Outcome.RIGHT, ""));
    assertThat(figures.jobs()).extracting(SoakFigures.Job::happened).contains(true);
    assertThat(out.toString())
        .contains("2 jobs on a cluster of 2 nodes, seed 7")
        .containsPattern("\\| a container is killed \\| +2 \\|");
    assertThat(err.toString())
        .contains("seed 7", "job 1, LargeShuffle: a container is killed, ", "job 2: RIGHT after ");
    assertThat(
            new ObjectMapper()
                .readValue(
                    results.resolve(SoakExperiment.FIGURES_FILE).toFile(), SoakFigures.class))
        .isEqualTo(figures);
    assertThat(results).isDirectoryNotContaining(file -> !file.endsWith("figures.json"));
  }
}
