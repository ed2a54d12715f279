// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.robust.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.anemone.evaluation.Trial;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The experiment as a user runs it, with two jobs. */
class ClusterSoakTest {
  private static final int SECONDS = 240;

  @TempDir private Path directory;

  @Test
  void jobsWhoseContainersAreKilledHaveTheRightAnswer() throws Exception {
    Trial trial =
        Trial.of(
            directory,
            "cluster-soak",
            "--jobs=2",
            "--nodes=2",
            "--policies=LargeShuffle",
            "--faults=KILLED_CONTAINER",
            "--seed=7",
            "--job-seconds=" + SECONDS);
    ClusterSoak.Figures figures = trial.figures(ClusterSoak.Figures.class);

    assertThat(figures.jobs())
        .as(trial.err())
        .extracting(SoakJob.Result::outcome, SoakJob.Result::problem)
        .containsOnly(tuple(SoakJob.Outcome.RIGHT, ""));
    assertThat(figures.jobs()).extracting(SoakJob.Result::happened).contains(true);
    assertThat(trial.out())
        .contains("2 jobs on a cluster of 2 nodes, seed 7")
        .containsPattern("\\| a container is killed \\| +2 \\|");
    assertThat(trial.err())
        .contains(
            "seed 7",
            "job 1, LargeShuffle, in columns: a container is killed, ",
            "job 2: RIGHT after ");
    assertThat(trial.results()).isDirectoryNotContaining(file -> !file.endsWith("figures.json"));
  }
}
