// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.netspark;

import dev.anemone.evaluation.papers.figure.FigureOutcome;
import dev.anemone.evaluation.papers.figure.FigureOutcome.Claim;
import dev.anemone.evaluation.papers.figure.FigureRun;
import dev.anemone.evaluation.papers.job.BarFigure;
import dev.anemone.evaluation.papers.job.BarFigure.Column;
import dev.anemone.evaluation.papers.job.JobCost;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/** A figure of all ways of shuffling: bars for each job. */
final class WayTable {

  private WayTable() {}

  /**
   * What the paper says of naive RDMA, for UCX with pooled pages and without; not known where there
   * is no UCX.
   *
   * @param percent that it says
   * @param x of the jobs
   */
  static Claim fasterThanNaive(String what, double percent, ShuffledJobs jobs, String x) {
    String paper = String.format(Locale.ROOT, "%s%.0f %% faster than naive RDMA", what, percent);
    if (!jobs.ways().contains(Way.NAIVE)) {
      return new Claim(paper, "not measured: there is no UCX", false);
    }
    double gain =
        100
            * (1
                - jobs.median(Way.UCX, x, JobCost::seconds)
                    / jobs.median(Way.NAIVE, x, JobCost::seconds));
    return new Claim(
        paper, String.format(Locale.ROOT, "%.1f %% faster", gain), gain >= percent / 2);
  }

  /** Draws it. The table also has what each way that pushes has pushed of what it should. */
  static FigureOutcome outcome(
      FigureRun run, BarFigure<Way> figure, String setUp, ShuffledJobs jobs, List<Claim> claims)
      throws IOException {
    List<Column<Way>> pushed =
        jobs.ways().stream()
            .filter(Way::pushes)
            .map(way -> new Column<>(way, "pushed, %", JobCost::pushedPercent))
            .toList();
    return figure.draw(run, setUp, jobs.jobs(), pushed, claims);
  }
}
