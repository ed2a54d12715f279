// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.netspark;

import dev.anemone.evaluation.papers.figure.FigureOutcome;
import dev.anemone.evaluation.papers.figure.FigureOutcome.Claim;
import dev.anemone.evaluation.papers.figure.FigureRun;
import dev.anemone.evaluation.papers.figure.PaperFigure;
import dev.anemone.evaluation.papers.job.BarFigure;
import dev.anemone.evaluation.papers.job.ComparedJobs.Job;
import dev.anemone.evaluation.papers.job.JobCost;
import dev.anemone.evaluation.papers.job.RankedGraph;
import dev.anemone.evaluation.papers.job.RankedVertices;
import dev.anemone.evaluation.papers.job.Workload;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/** The time of PageRank. */
final class PageRankTimes implements PaperFigure {
  private static final double HALF_OF_THE_GAIN = 10;

  @Override
  public String id() {
    return "netspark-pagerank";
  }

  @Override
  public String question() {
    return "how long does PageRank take over each way of shuffling?";
  }

  @Override
  public int minutes() {
    return 4;
  }

  /**
   * @param rounds how often each way ranks it
   */
  record Ranks(RankedGraph graph, int rounds, ShuffledJobs jobs) {}

  @Override
  public FigureOutcome repeat(FigureRun run) throws Exception {
    Ranks ranks =
        run.once(
            Ranks.class,
            () ->
                run.isFull()
                    ? measure(run, new RankedGraph(1_000_000, 5), 5)
                    : measure(run, new RankedGraph(10_000, 5), 2));
    ShuffledJobs jobs = ranks.jobs();
    String only = jobs.x().get(0);
    double gain = jobs.gainOverNetty(only, JobCost::seconds);
    List<Claim> claims =
        List.of(
            new Claim(
                "20 % faster than Netty",
                String.format(
                    Locale.ROOT,
                    "%.1f %% faster (%s)",
                    gain,
                    jobs.bestPooled(only, JobCost::seconds).title()),
                gain >= HALF_OF_THE_GAIN && jobs.mostIsPushed(only, JobCost::seconds)),
            WayTable.fasterThanNaive("", 10, jobs, only));
    String setUp =
        String.format(
            Locale.ROOT,
            "%s, %d runs, the ways in turn, in one JVM of this machine. The paper has 41 M vertices"
                + " and 1.5 G edges of Twitter's, and does not say how many iterations; edges for"
                + " each vertex were kept.%s",
            ranks.graph(),
            ranks.rounds(),
            Way.missing());
    return WayTable.outcome(
        run, new BarFigure<>(id(), "edges", "job, s", JobCost::seconds), setUp, jobs, claims);
  }

  static Ranks measure(FigureRun run, RankedGraph graph, int rounds)
      throws IOException, InterruptedException {
    Workload ranking = new RankedVertices(graph, run.directory().resolve("netspark-ranks"));
    return new Ranks(
        graph,
        rounds,
        ShuffledJobs.measure(
            run,
            "netspark-pagerank",
            List.of(new Job(Long.toString(graph.edges()), ranking)),
            rounds));
  }
}
