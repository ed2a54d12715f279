// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.scale;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.evaluation.papers.figure.FigureOutcome;
import dev.anemone.evaluation.papers.figure.FigureTrial;
import dev.anemone.evaluation.papers.scale.Axis.Jobs;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The figures' own program, on less data and without Spark; how long it takes says nothing. */
class ScaleFiguresTest {

  @TempDir private Path directory;

  @Test
  @Tag("nightly")
  void everyPolicyRunsEveryJobAndGroupsRight() throws Exception {
    FigureTrial trial = FigureTrial.in(directory);
    List<Double> exponents = List.of(0.0, 1.5);
    Jobs jobs =
        new Jobs(
            exponents,
            exponents.stream().map(x -> new GroupedRecords(200_000, 4, 50, x)).toList(),
            1,
            false);

    FigureOutcome outcome = trial.draw(new GrowthFigure(Axis.SKEW, Optional.of(jobs)));

    assertThat(trial.said()).hasSize(6).noneMatch(line -> line.contains("did not finish"));
    assertThat(outcome.points()).extracting(FigureOutcome.Point::x).containsExactly("0.0", "1.5");
    assertThat(outcome.points())
        .allSatisfy(
            point -> assertThat(point.values().subList(0, 3)).allMatch(seconds -> seconds > 0));
    assertThat(outcome.claims()).hasSize(5).allMatch(claim -> claim.ours().matches(".*\\d.*"));
  }

  /** Of four tasks one has to read a half, if half of all records have one key. */
  @Test
  void theBusiestTaskReadsAtLeastTheMostFrequentKey() {
    assertThat(new GroupedRecords(100_000, 4, 50, 0).leastMaxToMean()).isEqualTo(1);
    GroupedRecords skewed = new GroupedRecords(100_000, 4, 50, 1.5);
    assertThat(skewed.leastMaxToMean()).isEqualTo(4 * skewed.records().largestShare());
  }

  @Test
  void bothScalesHaveThePointsOfTheQuestion() {
    assertThat(Axis.DATA.jobs(true).x()).startsWith(1.0).endsWith(50.0);
    assertThat(Axis.TASKS.jobs(false).x()).startsWith(50.0).endsWith(2000.0);
    assertThat(Axis.SKEW.jobs(false).x()).startsWith(0.0).endsWith(1.5);
  }
}
