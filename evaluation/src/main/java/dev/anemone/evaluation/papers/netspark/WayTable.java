// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.netspark;

import dev.anemone.evaluation.lab.report.Charts;
import dev.anemone.evaluation.papers.figure.FigureOutcome;
import dev.anemone.evaluation.papers.figure.FigureOutcome.Claim;
import dev.anemone.evaluation.papers.figure.FigureOutcome.Point;
import dev.anemone.evaluation.papers.figure.FigureRun;
import dev.anemone.evaluation.papers.job.JobCost;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.knowm.xchart.CategoryChart;

/** A figure of all ways of shuffling: bars for each job. */
final class WayTable {

  private WayTable() {}

  /** What the paper says of a way that is not there, so that it cannot be said to hold. */
  static Claim naive(String paper) {
    return new Claim(paper, "not measured: every way here pools its buffers", false);
  }

  /**
   * Draws it. The table has a column for each way, one for each deviation, and one for what each
   * way that pushes has pushed of what it should.
   */
  static FigureOutcome outcome(
      FigureRun run,
      String id,
      String setUp,
      ShuffledJobs jobs,
      String axis,
      String unit,
      ToDoubleFunction<JobCost> figure,
      List<Claim> claims)
      throws IOException {
    List<String> columns = new ArrayList<>(List.of(axis));
    jobs.ways().forEach(way -> columns.add(way.title() + ": " + unit));
    jobs.ways().forEach(way -> columns.add(way.title() + ": deviation"));
    List<Way> pushing = jobs.ways().stream().filter(Way::pushes).toList();
    pushing.forEach(way -> columns.add(way.title() + ": pushed, %"));
    List<Point> points = new ArrayList<>();
    for (String x : jobs.x()) {
      List<Double> values = new ArrayList<>();
      jobs.ways().forEach(way -> values.add(jobs.median(way, x, figure)));
      jobs.ways().forEach(way -> values.add(jobs.deviation(way, x, figure)));
      pushing.forEach(way -> values.add(jobs.median(way, x, JobCost::pushedPercent)));
      points.add(new Point(x, List.copyOf(values)));
    }
    FigureOutcome outcome = new FigureOutcome(id, setUp, columns, points, claims, id + ".png");
    CategoryChart chart = Charts.bars(id, axis, unit);
    for (Way way : jobs.ways()) {
      chart.addSeries(
          way.title(),
          jobs.x(),
          jobs.x().stream().map(x -> jobs.median(way, x, figure)).toList(),
          jobs.x().stream().map(x -> jobs.deviation(way, x, figure)).toList());
    }
    Charts.save(chart, run.directory().resolve(outcome.chart()));
    return outcome;
  }
}
