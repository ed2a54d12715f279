// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.sparkndp;

import dev.anemone.evaluation.lab.report.Charts;
import dev.anemone.evaluation.papers.figure.FigureOutcome;
import dev.anemone.evaluation.papers.figure.FigureOutcome.Claim;
import dev.anemone.evaluation.papers.figure.FigureOutcome.Point;
import dev.anemone.evaluation.papers.figure.FigureRun;
import dev.anemone.evaluation.papers.figure.PaperFigure;
import dev.anemone.ndp.decide.OperatorCost;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.knowm.xchart.CategoryChart;

/**
 * Figures 5, 6 and 7: the mean time of queries under every policy, over cores of a storage node or
 * over how much a storage core gets done.
 *
 * @param axis what the x axis shows
 * @param ticks the points of the x axis
 * @param setUp what is not the paper's
 * @param stream queries, and seconds from one to the next
 * @param runs of each point, at the small scale and at the paper's
 * @param claims reads off what the paper says
 */
record StreamFigure(
    String id,
    String question,
    String axis,
    List<Tick> ticks,
    String setUp,
    Stream stream,
    Runs runs,
    Claims claims)
    implements PaperFigure {

  /** Bytes that a query reads, Table I. */
  static final double INPUT_BYTES = 150e9;

  /** Partitions of 256 MB. */
  static final int PARTITIONS = 600;

  /** By how much partitions differ from their mean, as a part. */
  private static final double VARIATION = 0.1;

  /** Executors for each data node in Table I: what the paper says S_max may be. */
  static final int TRANSFER_LIMIT = 35 / 4;

  /**
   * @param label on the axis
   * @param operators of the query, on those clusters
   */
  record Tick(String label, StreamClusters clusters, List<OperatorCost> operators) {}

  record Stream(int queries, double gapSeconds) {}

  record Runs(int small, int full) {}

  /** Reads what the paper says off the curves. */
  @FunctionalInterface
  interface Claims {
    List<Claim> of(Curves curves);
  }

  /**
   * Mean times in seconds.
   *
   * @param fixed by operators pushed, then by tick
   */
  record Curves(List<List<Double>> fixed, List<Double> netAware, List<Double> nearData) {

    List<Double> noPushdown() {
      return fixed.get(0);
    }

    /** All operators pushed, the paper's lambda-Flow. */
    List<Double> all() {
      return fixed.get(fixed.size() - 1);
    }

    /** The best of the first operators but none and all. */
    double partial(int tick) {
      return fixed.subList(1, fixed.size() - 1).stream()
          .mapToDouble(curve -> curve.get(tick))
          .min()
          .orElseThrow();
    }

    double betterExtreme(int tick) {
      return Math.min(noPushdown().get(tick), all().get(tick));
    }

    /** The best fixed choice, known afterwards. */
    double oracle(int tick) {
      return fixed.stream().mapToDouble(curve -> curve.get(tick)).min().orElseThrow();
    }

    /** How much less time the paper's rule takes than something else, in percent. */
    double gain(int tick, double than) {
      return 100 * (1 - netAware.get(tick) / than);
    }
  }

  @Override
  public int minutes() {
    return 1;
  }

  @Override
  public FigureOutcome repeat(FigureRun run) throws IOException {
    int count = run.isFull() ? runs.full() : runs.small();
    int operators = ticks.get(0).operators().size();
    Curves curves =
        new Curves(
            IntStream.rangeClosed(0, operators)
                .mapToObj(pushed -> curve(count, StreamPolicy.fixed(pushed)))
                .toList(),
            curve(count, StreamPolicy.netAware(TRANSFER_LIMIT)),
            curve(count, StreamPolicy.nearData()));
    FigureOutcome outcome =
        new FigureOutcome(
            id,
            String.format(
                Locale.ROOT,
                "%d queries, one every %.0f s, of %.0f GB in %d partitions that differ by up to"
                    + " %.0f %%; means of %d runs. S_max is %d. %s",
                stream.queries(),
                stream.gapSeconds(),
                INPUT_BYTES / 1e9,
                PARTITIONS,
                100 * VARIATION,
                count,
                TRANSFER_LIMIT,
                setUp),
            columns(),
            points(curves),
            claims.of(curves),
            id + ".png");
    draw(outcome, run.directory().resolve(outcome.chart()));
    return outcome;
  }

  private List<Double> curve(int count, StreamPolicy policy) {
    return ticks.stream()
        .map(
            tick ->
                IntStream.range(0, count)
                    .mapToDouble(
                        run ->
                            StreamSimulation.meanSeconds(
                                tick.clusters(), queries(tick, run), stream.gapSeconds(), policy))
                    .average()
                    .orElseThrow())
        .toList();
  }

  private List<StreamQuery> queries(Tick tick, int run) {
    Random random = new Random(run);
    return IntStream.range(0, stream.queries())
        .mapToObj(i -> StreamQuery.of(tick.operators(), INPUT_BYTES, PARTITIONS, VARIATION, random))
        .toList();
  }

  private List<String> columns() {
    List<OperatorCost> operators = ticks.get(0).operators();
    List<String> columns = new ArrayList<>(List.of(axis, "No-Pushdown"));
    IntFunction<String> name =
        pushed ->
            String.join(
                "+", operators.subList(0, pushed).stream().map(OperatorCost::name).toList());
    IntStream.range(1, operators.size()).mapToObj(name).forEach(columns::add);
    columns.addAll(List.of("lambda-Flow", "Net-Aware", "oracle", "NearData"));
    return columns;
  }

  private List<Point> points(Curves curves) {
    List<Point> points = new ArrayList<>();
    for (int tick = 0; tick < ticks.size(); tick++) {
      int at = tick;
      List<Double> values =
          new ArrayList<>(curves.fixed().stream().map(curve -> curve.get(at)).toList());
      values.add(curves.netAware().get(tick));
      values.add(curves.oracle(tick));
      values.add(curves.nearData().get(tick));
      points.add(new Point(ticks.get(tick).label(), values));
    }
    return points;
  }

  private void draw(FigureOutcome outcome, Path file) throws IOException {
    CategoryChart chart = Charts.bars(id, axis, "mean query time, s");
    List<String> labels = outcome.points().stream().map(Point::x).toList();
    for (int series = 1; series < outcome.columns().size(); series++) {
      int column = series - 1;
      chart.addSeries(
          outcome.columns().get(series),
          labels,
          outcome.points().stream().map(point -> point.values().get(column)).toList());
    }
    Charts.save(chart, file);
  }
}
