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

/** How long tasks of the group-bys stood still, and what a byte cost the processors. */
final class BlockedTimes implements PaperFigure {

  @Override
  public String id() {
    return "netspark-blocked";
  }

  @Override
  public String question() {
    return "how long do processors wait for a group-by's shuffle, and what does a byte cost them?";
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
    Way least = jobs.bestPooled(largest, JobCost::blockedSeconds);
    double blocked = jobs.median(least, largest, JobCost::blockedSeconds);
    double byNetty = jobs.median(Way.NETTY, largest, JobCost::blockedSeconds);
    Way cheapest = jobs.bestPooled(largest, JobCost::cpuSeconds);
    double cost = nanosPerByte(jobs, cheapest);
    double costByNetty = nanosPerByte(jobs, Way.NETTY);
    List<Claim> claims =
        List.of(
            new Claim(
                "NetSpark blocks less than Netty",
                String.format(
                    Locale.ROOT, "%s %.2f s, Netty %.2f s", least.title(), blocked, byNetty),
                blocked < byNetty && jobs.mostIsPushed(largest, JobCost::blockedSeconds)),
            new Claim(
                "a byte costs the processors less than with Netty",
                String.format(
                    Locale.ROOT,
                    "%s %.2f ns, Netty %.2f ns, files %.2f ns",
                    cheapest.title(),
                    cost,
                    costByNetty,
                    nanosPerByte(jobs, Way.FILES)),
                cost < costByNetty && jobs.mostIsPushed(largest, JobCost::cpuSeconds)));
    return WayTable.outcome(
        run,
        new BarFigure<>(id(), "shuffled, MB", "blocked, s", JobCost::blockedSeconds),
        groupBys.size().setUp()
            + " Blocked is what tasks waited for what others had written, and what sending took"
            + " them with the answers. A byte's cost is the rise of processor time from the"
            + " smallest to the largest job, of both stages.",
        jobs,
        claims);
  }

  /** What the start of the JVM costs is in both. */
  private static double nanosPerByte(ShuffledJobs jobs, Way way) {
    String smallest = jobs.x().get(0);
    String largest = jobs.x().get(jobs.x().size() - 1);
    double seconds =
        jobs.median(way, largest, JobCost::cpuSeconds)
            - jobs.median(way, smallest, JobCost::cpuSeconds);
    double megabytes = Double.parseDouble(largest) - Double.parseDouble(smallest);
    return 1e3 * seconds / megabytes;
  }
}
