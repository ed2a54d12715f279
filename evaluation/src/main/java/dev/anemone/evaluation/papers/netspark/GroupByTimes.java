// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.netspark;

import dev.anemone.evaluation.papers.figure.FigureOutcome;
import dev.anemone.evaluation.papers.figure.FigureOutcome.Claim;
import dev.anemone.evaluation.papers.figure.FigureRun;
import dev.anemone.evaluation.papers.figure.PaperFigure;
import dev.anemone.evaluation.papers.job.BarFigure;
import dev.anemone.evaluation.papers.job.JobCost;
import java.util.List;
import java.util.Locale;

/** The time of group-bys of four sizes. */
final class GroupByTimes implements PaperFigure {
  private static final double HALF_OF_THE_GAIN = 20;

  @Override
  public String id() {
    return "netspark-groupby";
  }

  @Override
  public String question() {
    return "how long does a group-by take over each way of shuffling?";
  }

  @Override
  public int minutes() {
    return 5;
  }

  @Override
  public FigureOutcome repeat(FigureRun run) throws Exception {
    GroupByJobs groupBys = GroupByJobs.of(run);
    ShuffledJobs jobs = groupBys.jobs();
    String largest = jobs.x().get(jobs.x().size() - 1);
    double gain = jobs.gainOverNetty(largest, JobCost::seconds);
    List<Claim> claims =
        List.of(
            new Claim(
                "large: 40 % faster than Netty",
                String.format(
                    Locale.ROOT,
                    "%.1f %% faster (%s)",
                    gain,
                    jobs.bestPooled(largest, JobCost::seconds).title()),
                gain >= HALF_OF_THE_GAIN && jobs.mostIsPushed(largest, JobCost::seconds)),
            WayTable.fasterThanNaive("small: ", 17, jobs, jobs.x().get(0)));
    return WayTable.outcome(
        run,
        new BarFigure<>(id(), "shuffled, MB", "job, s", JobCost::seconds),
        groupBys.size().setUp(),
        jobs,
        claims);
  }
}
