// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.ndpsimulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.evaluation.Trial;
import dev.anemone.evaluation.model.ndpsimulator.NdpSimulatorFigures.Curve;
import dev.anemone.evaluation.model.ndpsimulator.NdpSimulatorFigures.Point;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The experiment as a user runs it, with fewer points. */
class NdpSimulatorTest {
  @TempDir private Path directory;

  @Test
  void theModelIsNearTheOracleAndNeverMuchWorseThanTheBetterExtreme() throws Exception {
    Trial trial =
        Trial.of(
            directory,
            "ndp-simulator",
            "--chunk=16m",
            "--bandwidths=1,5,25",
            "--storage-cores=1,8",
            "--storage-powers=1",
            "--queries=1,4",
            "--selectivities=0.01,0.9");
    NdpSimulatorFigures figures = trial.figures(NdpSimulatorFigures.class);

    assertThat(figures.grid()).hasSize(5 * 3 * 2);
    assertThat(figures.acceptance().isNearOracle()).as("%s", figures.acceptance()).isTrue();
    assertThat(figures.acceptance().isNeverWorse()).as("%s", figures.acceptance()).isTrue();
    assertThat(figures.grid()).allSatisfy(NdpSimulatorTest::isPlausible);
    assertThat(figures.grid())
        .as("points where all splits alike leaves a side idle")
        .anySatisfy(point -> assertThat(point.nearDataToOracle()).isLessThan(0.8));
    assertThat(trial.out())
        .contains("holds: within 5 % of the oracle on average")
        .contains("holds: never slower than the better one")
        .doesNotContain("DOES NOT HOLD");
    for (Curve curve : figures.curves()) {
      assertThat(trial.results().resolve(curve.file())).isNotEmptyFile();
      assertThat(trial.out()).contains(curve.title());
    }
  }

  private static void isPlausible(Point point) {
    assertThat(point.oracleSeconds())
        .isLessThanOrEqualTo(point.noneSeconds())
        .isLessThanOrEqualTo(point.fullSeconds())
        .isLessThanOrEqualTo(point.plannedSeconds());
    assertThat(point.nearDataNetworkBytes())
        .isBetween(point.fullNetworkBytes() * (1 - 1e-9), point.noneNetworkBytes() * (1 + 1e-9));
    assertThat(point.nearDataSplits().stream().mapToInt(Integer::intValue).sum()).isEqualTo(256);
  }
}
