// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.lee;

import dev.anemone.evaluation.lab.experiment.TpchOptions;
import dev.anemone.evaluation.lab.report.Charts;
import dev.anemone.evaluation.model.samplingerror.MeasuredData;
import dev.anemone.evaluation.model.samplingerror.MeasuredData.PartitionSizes;
import dev.anemone.evaluation.model.samplingerror.Ranges;
import dev.anemone.evaluation.papers.figure.FigureOutcome;
import dev.anemone.evaluation.papers.figure.FigureOutcome.Claim;
import dev.anemone.evaluation.papers.figure.FigureOutcome.Point;
import dev.anemone.evaluation.papers.figure.FigureRun;
import dev.anemone.evaluation.papers.figure.PaperFigure;
import dev.anemone.examples.tpch.TpchDataSet;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * Figure 5.3: how the input of a join is spread over its tasks, as a sample of the producers tells
 * it. No time is measured.
 */
final class SampledShares implements PaperFigure {
  private static final int PRODUCERS = 400;
  private static final int CONSUMERS = 200;
  private static final List<Integer> PERCENTS = List.of(1, 5, 10, 20, 50, 100);
  private static final int CHOSEN_PERCENT = 5;
  private static final int DECILES = 10;
  private static final double SMALL_SCALE = 0.3;
  private static final double FULL_SCALE = 3;

  /** What counts as the true shape: a task's share is off by so much of a share, on average. */
  private static final double TRUE_SHAPE = 0.05;

  @Override
  public String id() {
    return "lee-5.3";
  }

  @Override
  public String question() {
    return "how is a join's input spread over its tasks, as sampled producers tell it?";
  }

  @Override
  public int minutes() {
    return 1;
  }

  @Override
  public FigureOutcome repeat(FigureRun run) throws IOException {
    double scale = run.isFull() ? FULL_SCALE : SMALL_SCALE;
    TpchDataSet orders =
        TpchDataSet.open(
            TpchOptions.directory(run.evaluation(), scale, LeeFigures.SKEW),
            scale,
            LeeFigures.SKEW);
    PartitionSizes sizes = new MeasuredData(PRODUCERS, CONSUMERS).ordersByCustomer(orders);
    Map<Integer, double[]> shares = new TreeMap<>();
    for (int percent : PERCENTS) {
      shares.put(percent, sortedShares(sizes.of(Ranges.sample(percent / 100.0, PRODUCERS))));
    }
    FigureOutcome outcome =
        new FigureOutcome(
            id(),
            String.format(
                Locale.ROOT,
                "The orders of TPC-H at scale %s with skew %s, joined with their customers: %d"
                    + " producer tasks, %d consumer tasks. The paper has JCC-H at scale 100.",
                scale,
                LeeFigures.SKEW,
                PRODUCERS,
                CONSUMERS),
            columns(),
            points(shares),
            claims(shares),
            id() + ".png");
    draw(shares, run.directory().resolve(outcome.chart()));
    return outcome;
  }

  /** What each task has of all bytes, in percent, the least first. */
  private static double[] sortedShares(long[] bytes) {
    double all = Arrays.stream(bytes).sum();
    return Arrays.stream(bytes).mapToDouble(task -> 100 * task / all).sorted().toArray();
  }

  private static List<String> columns() {
    List<String> columns = new ArrayList<>(List.of("tasks with less, %"));
    PERCENTS.forEach(percent -> columns.add(percent + " % sampled: share, thousandths"));
    return columns;
  }

  private static List<Point> points(Map<Integer, double[]> shares) {
    return IntStream.rangeClosed(0, DECILES)
        .mapToObj(
            decile ->
                new Point(
                    String.valueOf(decile * 100 / DECILES),
                    shares.values().stream()
                        .map(sorted -> 10 * sorted[decile * (CONSUMERS - 1) / DECILES])
                        .toList()))
        .toList();
  }

  /** How far a curve is from the true one, on average over the tasks, in mean shares. */
  private static double distance(double[] estimate, double[] truth) {
    return IntStream.range(0, truth.length)
            .mapToDouble(task -> Math.abs(estimate[task] - truth[task]))
            .sum()
        / Arrays.stream(truth).sum();
  }

  private static List<Claim> claims(Map<Integer, double[]> shares) {
    double[] truth = shares.get(100);
    List<Double> distances =
        PERCENTS.stream().map(percent -> distance(shares.get(percent), truth)).toList();
    boolean falls =
        IntStream.range(1, distances.size())
            .allMatch(rate -> distances.get(rate) < distances.get(rate - 1));
    double most = truth[truth.length - 1];
    double told = shares.get(CHOSEN_PERCENT)[truth.length - 1];
    return List.of(
        new Claim(
            "higher rates are nearer to the true shape",
            "distance "
                + String.join(
                    ", ",
                    distances.stream()
                        .map(distance -> String.format(Locale.ROOT, "%.1f %%", 100 * distance))
                        .toList()),
            falls),
        new Claim(
            "rates above 5 % have the true shape",
            String.format(Locale.ROOT, "at 10 %% %.1f %% off", 100 * distances.get(2)),
            distances.get(2) <= TRUE_SHAPE),
        new Claim(
            "5 % shows the trend, and is enough",
            String.format(
                Locale.ROOT, "the largest task has %.2f %% of all, told are %.2f %%", most, told),
            Math.abs(told - most) <= most / DECILES));
  }

  private static void draw(Map<Integer, double[]> shares, Path file) throws IOException {
    XYChart chart =
        Charts.curves("lee-5.3", "share of the join's input, %", "part of the consumer tasks");
    double[] parts =
        IntStream.rangeClosed(1, CONSUMERS)
            .mapToDouble(task -> (double) task / CONSUMERS)
            .toArray();
    shares.forEach(
        (percent, sorted) ->
            chart.addSeries(percent + " % sampled", sorted, parts).setMarker(SeriesMarkers.NONE));
    Charts.save(chart, file);
  }
}
