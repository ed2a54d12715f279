// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.job;

import dev.anemone.evaluation.lab.report.Charts;
import dev.anemone.evaluation.papers.figure.FigureOutcome;
import dev.anemone.evaluation.papers.figure.FigureOutcome.Claim;
import dev.anemone.evaluation.papers.figure.FigureOutcome.Point;
import dev.anemone.evaluation.papers.figure.FigureRun;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.knowm.xchart.CategoryChart;

/**
 * A figure of compared jobs: for each job a bar of each side.
 *
 * @param id of the figure
 * @param axis what tells jobs apart
 * @param unit of the bars
 * @param shown what the bars show
 */
public record BarFigure<S extends ComparedJobs.Side>(
    String id, String axis, String unit, ToDoubleFunction<JobCost> shown) {

  /**
   * A further column of the table.
   *
   * @param title after the side's
   */
  public record Column<S>(S side, String title, ToDoubleFunction<JobCost> figure) {}

  /** Draws it. The table has a column for each side, one for each deviation, and more. */
  public FigureOutcome draw(
      FigureRun run, String setUp, ComparedJobs<S> jobs, List<Column<S>> more, List<Claim> claims)
      throws IOException {
    List<String> columns = new ArrayList<>(List.of(axis));
    jobs.sides().forEach(side -> columns.add(side.title() + ": " + unit));
    jobs.sides().forEach(side -> columns.add(side.title() + ": deviation"));
    more.forEach(column -> columns.add(column.side().title() + ": " + column.title()));
    List<Point> points = new ArrayList<>();
    for (String x : jobs.x()) {
      List<Double> values = new ArrayList<>();
      jobs.sides().forEach(side -> values.add(jobs.median(side, x, shown)));
      jobs.sides().forEach(side -> values.add(jobs.deviation(side, x, shown)));
      more.forEach(column -> values.add(jobs.median(column.side(), x, column.figure())));
      points.add(new Point(x, List.copyOf(values)));
    }
    FigureOutcome outcome = new FigureOutcome(id, setUp, columns, points, claims, id + ".png");
    CategoryChart chart = Charts.bars(id, axis, unit);
    for (S side : jobs.sides()) {
      chart.addSeries(
          side.title(),
          jobs.x(),
          jobs.x().stream().map(x -> jobs.median(side, x, shown)).toList(),
          jobs.x().stream().map(x -> jobs.deviation(side, x, shown)).toList());
    }
    Charts.save(chart, run.directory().resolve(outcome.chart()));
    return outcome;
  }
}
