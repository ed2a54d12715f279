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

/** A figure of all ways of shuffling: bars for each job. */
final class WayTable {

  private WayTable() {}

  /** What the paper says of a way that is not there, so that it cannot be said to hold. */
  static Claim naive(String paper) {
    return new Claim(paper, "not measured: every way here pools its buffers", false);
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
