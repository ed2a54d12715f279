// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.dmo;

import dev.anemone.evaluation.lab.report.Charts;
import dev.anemone.evaluation.papers.figure.FigureOutcome;
import dev.anemone.evaluation.papers.figure.FigureOutcome.Claim;
import dev.anemone.evaluation.papers.figure.FigureOutcome.Point;
import dev.anemone.evaluation.papers.figure.FigureRun;
import dev.anemone.evaluation.papers.figure.PaperFigure;
import dev.anemone.evaluation.papers.job.JobCost;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.knowm.xchart.CategoryChart;

/** Tables II and III: what the workloads read and shuffle. */
final class WorkloadTable implements PaperFigure {
  private static final double NEAR = 2;

  @Override
  public String id() {
    return "dmo-tables-2-3";
  }

  @Override
  public String question() {
    return "what do the workloads read, shuffle and spill?";
  }

  @Override
  public int minutes() {
    return 18;
  }

  @Override
  public FigureOutcome repeat(FigureRun run) throws Exception {
    List<Point> points = new ArrayList<>();
    List<Claim> claims = new ArrayList<>();
    List<String> workloads = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      MemorySweep sweep = MemorySweep.of(run, kind);
      Memory most = sweep.memory().get(0);
      double shuffled = sweep.median(Place.FILES, most, JobCost::storedBytes);
      double ratio = shuffled / sweep.inputBytes();
      workloads.add(kind.paper() + ": " + sweep.workload());
      points.add(
          new Point(
              kind.paper(),
              List.of(
                  sweep.inputBytes() / 1e6,
                  shuffled / 1e6,
                  sweep.median(Place.FILES, most, JobCost::spilledBytes) / 1e6,
                  sweep.median(Place.FILES, most, JobCost::cpuSeconds),
                  sweep.median(Place.FILES, most, JobCost::seconds))));
      claims.add(
          new Claim(
              String.format(
                  Locale.ROOT,
                  "%s shuffles %.2f times its input",
                  kind.paper(),
                  kind.shuffledByInput()),
              String.format(Locale.ROOT, "%.2f times", ratio),
              ratio >= kind.shuffledByInput() / NEAR && ratio <= kind.shuffledByInput() * NEAR));
    }
    FigureOutcome outcome =
        new FigureOutcome(
            id(),
            "What stands in for the paper's workloads: "
                + String.join("; ", workloads)
                + ". In files, with the most memory. What PageRank would have as a text counts as"
                + " its input.",
            List.of(
                "workload", "input, MB", "shuffled, MB", "spilled, MB", "processors, s", "job, s"),
            points,
            claims,
            id() + ".png");
    CategoryChart chart = Charts.bars(id(), "workload", "MB");
    List<String> names = points.stream().map(Point::x).toList();
    for (int column : List.of(0, 1, 2)) {
      chart.addSeries(
          outcome.columns().get(column + 1),
          names,
          points.stream().map(point -> point.values().get(column)).toList());
    }
    Charts.save(chart, run.directory().resolve(outcome.chart()));
    return outcome;
  }
}
