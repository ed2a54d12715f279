// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.robust.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.anemone.evaluation.Trial;
import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.lab.process.SystemCommand;
import dev.anemone.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The experiment as a user runs it, with three jobs. */
class ClusterSoakTest {
  private static final int SECONDS = 240;

  @TempDir private Path directory;

  @Test
  @Tag("nightly")
  void jobsWhoseContainersAreKilledHaveTheRightAnswer() throws Exception {
    Trial trial =
        Trial.of(
            directory,
            "cluster-soak",
            "--jobs=3",
            "--side-by-side=2",
            "--nodes=2",
            "--policies=LargeShuffle",
            "--faults=KILLED_CONTAINER",
            "--seed=7",
            "--job-seconds=" + SECONDS);
    assertAllRightAndSomeHit(trial);
    assertThat(trial.out())
        .contains("3 jobs on a cluster of 2 nodes, seed 7")
        .containsPattern("\\| a container is killed \\| +3 \\|");
    assertThat(trial.err())
        .contains(
            "seed 7",
            "job 1, LargeShuffle, in columns: a container is killed, ",
            "job 3: RIGHT after ");
    assertThat(trial.results()).isDirectoryNotContaining(file -> !file.endsWith("figures.json"));
  }

  private static void assertAllRightAndSomeHit(Trial trial) throws Exception {
    ClusterSoak.Figures figures = trial.figures(ClusterSoak.Figures.class);
    assertThat(figures.jobs())
        .as(trial.err())
        .extracting(SoakJob.Result::outcome, SoakJob.Result::problem)
        .containsOnly(tuple(SoakJob.Outcome.RIGHT, ""));
    assertThat(figures.jobs()).extracting(SoakJob.Result::happened).contains(true);
  }

  /** Each fault happens to one of three jobs. */
  @Test
  @Tag("nightly")
  @EnabledIf("namespacesCanBeMade")
  void jobsOnBrokenDisksAndNetworksHaveTheRightAnswer() throws Exception {
    Trial trial =
        Trial.ofProgram(
            directory,
            List.of("unshare", "--net", "--mount"),
            "cluster-soak",
            "--jobs=3",
            "--policies=Default",
            "--forms=ROWS",
            "--faults=DROPPED_PACKETS,FULL_DISK,SLOW_DISK",
            "--seed=4",
            "--job-seconds=" + SECONDS);
    ClusterSoak.Figures figures = trial.figures(ClusterSoak.Figures.class);

    assertThat(figures.jobs())
        .as(trial.err())
        .extracting(SoakJob.Result::fault, SoakJob.Result::outcome, SoakJob.Result::problem)
        .containsExactlyInAnyOrder(
            tuple(SoakFault.DROPPED_PACKETS, SoakJob.Outcome.RIGHT, ""),
            tuple(SoakFault.FULL_DISK, SoakJob.Outcome.RIGHT, ""),
            tuple(SoakFault.SLOW_DISK, SoakJob.Outcome.RIGHT, ""));
    assertThat(trial.results()).isDirectoryNotContaining(file -> !file.endsWith("figures.json"));
  }

  /** The clock of a node that has containers, and maybe the master, is an hour off. */
  @Test
  @Tag("nightly")
  void jobsOnNodesWhoseClocksJumpHaveTheRightAnswer() throws Exception {
    Requirement.FAKETIME.check(
        NodeClocks.library().isPresent(), "libfaketime is not installed (apt-get install)");
    Trial trial =
        Trial.of(
            directory,
            "cluster-soak",
            "--jobs=2",
            "--nodes=2",
            "--policies=LargeShuffle",
            "--forms=ROWS",
            "--faults=CLOCK_JUMP",
            "--seed=133",
            "--job-seconds=" + SECONDS);
    assertAllRightAndSomeHit(trial);
  }

  static boolean namespacesCanBeMade() throws Exception {
    try {
      SystemCommand.run(
          Path.of("."),
          Duration.ofSeconds(10),
          List.of("unshare", "--net", "--mount", "tc", "qdisc", "show", "dev", "lo"));
      return Files.isWritable(Path.of("/dev/loop-control"));
    } catch (ExperimentFailure | IOException e) {
      return false;
    }
  }

  @Test
  void nobodyElseSuffersFromDroppedPackets() throws Exception {
    Trial trial = Trial.of(directory, "cluster-soak", "--jobs=1", "--faults=DROPPED_PACKETS");

    assertThat(trial.exitCode()).isEqualTo(CommandLine.ExitCode.SOFTWARE);
    assertThat(trial.err()).contains("unshare --net --mount evaluation/run cluster-soak");
  }
}
