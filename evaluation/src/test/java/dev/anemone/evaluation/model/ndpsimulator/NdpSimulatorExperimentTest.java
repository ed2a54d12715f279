// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.ndpsimulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.anemone.evaluation.model.ndpsimulator.NdpSimulatorFigures.Curve;
import dev.anemone.evaluation.model.ndpsimulator.NdpSimulatorFigures.Point;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The experiment as a user runs it, with fewer points. */
class NdpSimulatorExperimentTest {
  @TempDir private Path directory;
  private final StringWriter out = new StringWriter();

  @Test
  void theModelIsNearTheOracleAndNeverMuchWorseThanTheBetterExtreme() throws Exception {
    NdpSimulatorPlan plan =
        new NdpSimulatorPlan(
            directory,
            new Clusters(4, 4, 4, 16, 1.25e9, 16e6),
            256,
            128e6,
            0.2,
            1,
            List.of(1.0, 5.0, 25.0),
            List.of(1, 8),
            List.of(1.0),
            List.of(1, 4),
            List.of(0.01, 0.9));

    NdpSimulatorFigures figures =
        new NdpSimulatorExperiment(plan, new PrintWriter(out, true)).run();

    assertThat(figures.grid()).hasSize(5 * 3 * 2);
    assertThat(figures.acceptance().isNearOracle()).as("%s", figures.acceptance()).isTrue();
    assertThat(figures.acceptance().isNeverWorse()).as("%s", figures.acceptance()).isTrue();
    assertThat(figures.grid()).allSatisfy(NdpSimulatorExperimentTest::isPlausible);
    assertThat(figures.grid())
        .as("points where all splits alike leaves a side idle")
        .anySatisfy(point -> assertThat(point.nearDataToOracle()).isLessThan(0.8));
    assertThat(out.toString())
        .contains("holds: within 5 % of the oracle on average")
        .contains("holds: never slower than the better one")
        .doesNotContain("DOES NOT HOLD");
    for (Curve curve : figures.curves()) {
      assertThat(directory.resolve(curve.file())).isNotEmptyFile();
      assertThat(out.toString()).contains(curve.title());
    }
    assertThat(
            new ObjectMapper()
                .readTree(
                    Files.readAllBytes(directory.resolve(NdpSimulatorExperiment.FIGURES_FILE)))
                .get("grid"))
        .hasSize(figures.grid().size());
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
