// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.lee;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.evaluation.lab.workload.PolicyOptions.Side;
import dev.anemone.evaluation.papers.figure.FigureOutcome;
import dev.anemone.evaluation.papers.figure.FigureOutcome.Point;
import dev.anemone.evaluation.papers.figure.FigureTrial;
import dev.anemone.evaluation.papers.lee.LoggedRun.Consumer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The figures' own programs, on less data; how long they take says nothing here. */
class LeeFiguresTest {
  private static final int TASKS = 6;
  private static final int SEEK_MILLIS = 20;

  @TempDir private Path directory;

  private FigureTrial trial;

  @BeforeEach
  void prepare() throws Exception {
    trial = FigureTrial.in(directory);
  }

  @Test
  @Tag("nightly")
  void batchedReadsSeekOnceForEachConsumer() throws Exception {
    CountedWords words =
        trial
            .run()
            .once(
                CountedWords.class,
                () ->
                    CountedWords.measure(
                        trial.run(), new CountedWords.Size(2_000_000, TASKS, SEEK_MILLIS, 1)));

    Consumer usual = words.shuffles(Side.DEFAULT, true).get(0);
    Consumer batched = words.shuffles(Side.LARGE_SHUFFLE, true).get(0);
    assertThat(usual.diskSeeks()).isEqualTo(TASKS * TASKS);
    assertThat(batched.diskSeeks()).isEqualTo(TASKS);
    assertThat(usual.taskBytes()).hasSize(TASKS).allMatch(bytes -> bytes > 0);
    // All seeks are those of one disk, and the first may be made while others still produce.
    assertThat(usual.seconds()).isGreaterThan(TASKS * TASKS * SEEK_MILLIS / 1e3);
    assertThat(trial.said()).hasSize(4);

    // What was measured once is shown by both figures.
    trial.draw(new ShuffleTimes());
    trial.draw(new DiskRates());
    assertThat(trial.said()).hasSize(4);
  }

  @Test
  @Tag("nightly")
  void sampledRangesMakeInputsFlatter() throws Exception {
    trial
        .run()
        .once(
            SkewedQueries.class,
            () ->
                SkewedQueries.measure(trial.run(), new SkewedQueries.Size(0.02, 10_000_000, 1, 1)));

    FigureOutcome inputs = trial.draw(new JoinInputs());
    trial.draw(new SkewedQueryTimes());

    int usual = inputs.columns().indexOf(SkewedQueries.DEFAULT + ", kB") - 1;
    int both = inputs.columns().indexOf(SkewedQueries.BOTH + ", kB") - 1;
    List<Point> points = inputs.points();
    assertThat(maxToMean(points, both)).isLessThan(maxToMean(points, usual));
    for (int policy : List.of(usual, both)) {
      assertThat(points.stream().map(point -> point.values().get(policy)).toList())
          .isSortedAccordingTo((one, other) -> Double.compare(other, one));
    }
  }

  private static double maxToMean(List<Point> points, int policy) {
    double sum = points.stream().mapToDouble(point -> point.values().get(policy)).sum();
    return points.get(0).values().get(policy) * points.size() / sum;
  }

  @Test
  void whatASampleTellsComesNearerToTheTruth() throws Exception {
    FigureOutcome shares = trial.draw(new SampledShares());

    int last = shares.points().get(0).values().size() - 1;
    assertThat(shares.verdict()).isEqualTo(FigureOutcome.Verdict.REPRODUCED);
    assertThat(difference(shares, 0, last)).isGreaterThan(difference(shares, last - 1, last));
    assertThat(shares.points().get(shares.points().size() - 1).values().get(last))
        .as("the share of the task with the hot customers")
        .isGreaterThan(10 * shares.points().get(0).values().get(last));
  }

  private static double difference(FigureOutcome shares, int rate, int truth) {
    return shares.points().stream()
        .mapToDouble(point -> Math.abs(point.values().get(rate) - point.values().get(truth)))
        .sum();
  }
}
