// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.sparkndp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.lab.neardata.NearDataSides;
import dev.anemone.evaluation.lab.process.ProcessorQuota;
import dev.anemone.evaluation.papers.figure.FigureOutcome;
import dev.anemone.evaluation.papers.figure.FigureOutcome.Point;
import dev.anemone.evaluation.papers.figure.FigureTrial;
import dev.anemone.evaluation.papers.sparkndp.QueryArrivals.Setting;
import dev.anemone.evaluation.papers.sparkndp.Testbed.Size;
import dev.anemone.testing.Requirement;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The figures on a few MB: what they find of times says nothing. */
@Tag("nightly")
class TestbedFiguresTest {
  private static final Optional<Size> TINY = Optional.of(new Size(0.01, 1 << 20, List.of(4), 1));

  /** Each pushdown, and the oracle. */
  private static final int SERIES = 6;

  @TempDir private Path directory;

  /** Skips the test where there is no throttled network or no quota, and says why. */
  @BeforeEach
  void requireRoot() throws Exception {
    try {
      NearDataSides.requireAllowed();
      ProcessorQuota.start().close();
    } catch (ExperimentFailure impossible) {
      throw Requirement.ROOT.missing(impossible.getMessage());
    }
  }

  @Test
  void figureEightHasBothQueriesUnderEachPushdown() throws Exception {
    FigureTrial trial = FigureTrial.in(directory);
    FigureOutcome outcome = trial.draw(new StorageCores(StorageCores.Setting.NARROW, TINY), 2);

    assertThat(outcome.points()).extracting(Point::x).containsExactly("Q6, 4", "Q19, 4");
    assertRight(outcome);
    assertThat(outcome.claims())
        .anySatisfy(claim -> assertThat(claim.paper()).contains("pushing pays even with 1 core"));
  }

  @Test
  void figureNineRunsQueriesOneAfterTheOther() throws Exception {
    FigureTrial trial = FigureTrial.in(directory);
    FigureOutcome outcome = trial.draw(new QueryArrivals(List.of(new Setting(2, 4)), 3, TINY), 1);

    assertThat(outcome.points()).extracting(Point::x).containsExactly("2 x 4");
    assertRight(outcome);
    assertThat(trial.said()).anySatisfy(line -> assertThat(line).contains("0 splits pushed"));
  }

  private static void assertRight(FigureOutcome outcome) {
    assertThat(outcome.columns()).hasSize(SERIES + 1);
    assertThat(outcome.points())
        .allSatisfy(
            point -> {
              List<Double> fixed = point.values().subList(0, SERIES - 2);
              assertThat(point.values()).allSatisfy(value -> assertThat(value).isPositive());
              assertThat(fixed)
                  .as("the oracle is the best of the fixed")
                  .contains(point.values().get(SERIES - 1))
                  .allSatisfy(
                      value ->
                          assertThat(value).isGreaterThanOrEqualTo(point.values().get(SERIES - 1)));
            });
  }
}
