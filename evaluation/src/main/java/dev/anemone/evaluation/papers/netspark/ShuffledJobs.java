// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.netspark;

import dev.anemone.evaluation.papers.figure.FigureRun;
import dev.anemone.evaluation.papers.job.ComparedJobs;
import dev.anemone.evaluation.papers.job.ComparedJobs.Job;
import dev.anemone.evaluation.papers.job.JobCost;
import java.io.IOException;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** Jobs over all ways of shuffling that work on this machine. */
record ShuffledJobs(ComparedJobs<Way> jobs) {

  /** With less the rest, which lies in files, would be compared. */
  private static final double MOST_PERCENT = 50;

  static ShuffledJobs measure(FigureRun figures, String name, List<Job> jobs, int rounds)
      throws IOException, InterruptedException {
    return new ShuffledJobs(ComparedJobs.measure(figures, name, jobs, Way.working(), rounds));
  }

  /** The ways. */
  List<Way> ways() {
    return jobs.sides();
  }

  /** The jobs, in their order. */
  List<String> x() {
    return jobs.x();
  }

  /** The median of what the runs of a job over a way cost. */
  double median(Way way, String x, ToDoubleFunction<JobCost> figure) {
    return jobs.median(way, x, figure);
  }

  /** Of the ways that read from pooled pages the one with the least of a figure of a job. */
  Way bestPooled(String x, ToDoubleFunction<JobCost> figure) {
    return Stream.of(Way.TCP, Way.UCX)
        .filter(ways()::contains)
        .min((one, other) -> Double.compare(median(one, x, figure), median(other, x, figure)))
        .orElseThrow();
  }

  /** By how many percent that way has less than Netty. */
  double gainOverNetty(String x, ToDoubleFunction<JobCost> figure) {
    return 100 * (1 - median(bestPooled(x, figure), x, figure) / median(Way.NETTY, x, figure));
  }

  /** Whether most of what Netty and that way should have pushed was pushed. */
  boolean mostIsPushed(String x, ToDoubleFunction<JobCost> figure) {
    return Stream.of(Way.NETTY, bestPooled(x, figure))
        .allMatch(way -> median(way, x, JobCost::pushedPercent) >= MOST_PERCENT);
  }
}
