// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.ndp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.evaluation.Trial;
import dev.anemone.evaluation.compare.ndp.NdpFigures.NdpPoint;
import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.lab.neardata.NearDataSides;
import dev.anemone.evaluation.lab.neardata.NearDataSides.Measured;
import dev.anemone.evaluation.lab.neardata.Pushdown;
import dev.anemone.testing.Requirement;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The experiment as a user runs it, on a few MB; what it finds of times says nothing. */
@Tag("nightly")
class NdpMeasurementTest {
  private static final double MEGABITS = 100;

  @TempDir private Path directory;

  /** Skips the test where there is no throttled network, and says why. */
  @BeforeEach
  void requireNetwork() throws Exception {
    try {
      NearDataSides.requireAllowed();
    } catch (ExperimentFailure impossible) {
      throw Requirement.ROOT.missing(impossible.getMessage());
    }
  }

  @Test
  void whatIsPushedDoesNotCrossTheNetwork() throws Exception {
    Trial trial =
        Trial.of(
            directory,
            "ndp",
            "--scale=0.01",
            "--block=" + (1 << 20),
            "--slots=2",
            "--queries=6",
            "--bandwidths=" + MEGABITS,
            "--concurrent=1",
            "--concurrent-bandwidth=" + MEGABITS,
            "--proxy-cores=1",
            "--runs=1",
            "--storage-cpus=all",
            "--compute-cpus=all",
            "--heap=512m");
    NdpFigures figures = trial.figures(NdpFigures.class);

    NdpPoint point = figures.points(NdpPoint.BANDWIDTH).get(0);
    assertThat(figures.runs())
        .filteredOn(run -> run.point().equals(point))
        .extracting(NdpFigures.Run::pushdown)
        .containsExactly(Pushdown.values());
    assertThat(figures.of(point, Pushdown.NONE).get(0).measured().splitsPushed()).isZero();
    assertThat(figures.linkBytes(point, Pushdown.NONE))
        .isGreaterThanOrEqualTo((double) figures.lineitemBytes());
    assertThat(figures.seconds(point, Pushdown.NONE))
        .as("%s bytes at %s Mbit/s", figures.lineitemBytes(), MEGABITS)
        .isGreaterThan(0.8 * figures.lineitemBytes() * 8 / 1e6 / MEGABITS);
    Measured full = figures.of(point, Pushdown.FULL).get(0).measured();
    assertThat(full.splitsPushed()).isPositive();
    assertThat(full.splitsPushedBack()).isZero();
    assertThat(full.readBytes()).isZero();
    assertThat(full.answerBytes()).isPositive().isLessThan(full.linkBytes());
    assertThat((double) full.linkBytes()).isLessThan(0.05 * figures.lineitemBytes());
    assertThat(trial.out())
        .containsPattern("\\| Q6 +\\| +100 \\| +1 \\|")
        .contains("Q6 at full pushdown and 100 Mbit/s: answers of");
    assertThat(trial.results().resolve("bandwidth.png")).isNotEmptyFile();
  }
}
