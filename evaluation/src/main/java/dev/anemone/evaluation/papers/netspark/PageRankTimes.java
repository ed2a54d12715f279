// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.netspark;

import dev.anemone.evaluation.papers.figure.FigureOutcome;
import dev.anemone.evaluation.papers.figure.FigureOutcome.Claim;
import dev.anemone.evaluation.papers.figure.FigureRun;
import dev.anemone.evaluation.papers.figure.PaperFigure;
import dev.anemone.evaluation.papers.job.JobCost;
import dev.anemone.evaluation.papers.job.RankedGraph;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The time of PageRank. */
final class PageRankTimes implements PaperFigure.Repeated {
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
            WayTable.naive("10 % faster than naive RDMA"));
    String setUp =
        String.format(
            Locale.ROOT,
            "%s, %d runs, the ways in turn, in one JVM of this machine. The paper has 41 M vertices"
                + " and 1.5 G edges of Twitter's, and does not say how many iterations; edges for"
                + " each vertex were kept.%s",
            ranks.graph(),
            ranks.rounds(),
            Way.missing());
    return WayTable.outcome(run, id(), setUp, jobs, "edges", "job, s", JobCost::seconds, claims);
  }

  static Ranks measure(FigureRun run, RankedGraph graph, int rounds)
      throws IOException, InterruptedException {
    Path ranked = run.directory().resolve("netspark-ranks");
    return new Ranks(
        graph,
        rounds,
        ShuffledJobs.measure(
            run, "netspark-pagerank", List.of(new RankJob(graph, ranked)), rounds));
  }

  /**
   * @param ranked where the result is
   */
  private record RankJob(RankedGraph graph, Path ranked) implements ShuffledJobs.Job {

    @Override
    public String x() {
      return Long.toString(graph.edges());
    }

    @Override
    public Class<?> program() {
      return RankedGraph.PROGRAM;
    }

    @Override
    public List<String> arguments(Way way) {
      return graph.arguments(ranked);
    }

    @Override
    public void check(Way way) throws IOException {
      graph.check(ranked, way.title());
    }
  }
}
