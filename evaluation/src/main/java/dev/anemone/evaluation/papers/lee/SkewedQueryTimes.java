// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.lee;

import dev.anemone.evaluation.lab.report.Charts;
import dev.anemone.evaluation.lab.report.Summary;
import dev.anemone.evaluation.papers.figure.FigureOutcome;
import dev.anemone.evaluation.papers.figure.FigureOutcome.Claim;
import dev.anemone.evaluation.papers.figure.FigureOutcome.Point;
import dev.anemone.evaluation.papers.figure.FigureRun;
import dev.anemone.evaluation.papers.figure.PaperFigure;
import dev.anemone.evaluation.papers.lee.SkewedQueries.Run;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.knowm.xchart.CategoryChart;

/** Figure 5.4: the time of Q10 on skewed data, with each pass and with both. */
final class SkewedQueryTimes implements PaperFigure {
  private static final double HALF_OF_THE_GAIN = 15.5;

  @Override
  public String id() {
    return "lee-5.4";
  }

  @Override
  public String question() {
    return "how long does Q10 take on skewed data, with each pass and with both?";
  }

  @Override
  public int minutes() {
    return 8;
  }

  @Override
  public FigureOutcome repeat(FigureRun run) throws Exception {
    SkewedQueries queries = SkewedQueries.of(run);
    List<Point> points =
        SkewedQueries.POLICIES.stream()
            .map(
                policy -> {
                  List<Run> runs = queries.under(policy);
                  return new Point(
                      policy,
                      List.of(
                          Summary.of(runs, Run::jobSeconds).median(),
                          Summary.deviation(runs, Run::jobSeconds)));
                })
            .toList();
    FigureOutcome outcome =
        new FigureOutcome(
            id(),
            queries.size().setUp(),
            List.of("policy", "job, s", "standard deviation, s"),
            points,
            claims(points),
            id() + ".png");
    draw(points, run.directory().resolve(outcome.chart()));
    return outcome;
  }

  private static List<Claim> claims(List<Point> points) {
    List<Double> usual = points.get(0).values();
    List<Double> both = points.get(points.size() - 1).values();
    double gain = 100 * (1 - both.get(0) / usual.get(0));
    return List.of(
        new Claim(
            "both passes: 31 % less",
            String.format(Locale.ROOT, "%.1f %% less", gain), gain >= HALF_OF_THE_GAIN),
        new Claim(
            "without them times vary more",
            String.format(Locale.ROOT, "%.2f s, %.2f s", usual.get(1), both.get(1)),
            usual.get(1) > both.get(1)));
  }

  private static void draw(List<Point> points, Path file) throws IOException {
    CategoryChart chart = Charts.bars("lee-5.4", "policy", "job time, s");
    chart.addSeries(
        "Q10",
        points.stream().map(Point::x).toList(),
        points.stream().map(point -> point.values().get(0)).toList(),
        points.stream().map(point -> point.values().get(1)).toList());
    Charts.save(chart, file);
  }
}
