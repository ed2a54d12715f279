// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.netspark;

import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.lab.process.Arguments;
import dev.anemone.evaluation.lab.report.Summary;
import dev.anemone.evaluation.papers.figure.FigureRun;
import dev.anemone.evaluation.papers.job.JobCost;
import dev.anemone.evaluation.papers.job.JobRuns;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * Jobs over all ways of shuffling, in the order in which they ran.
 *
 * @param ways that work on this machine
 */
record ShuffledJobs(List<Way> ways, List<Run> runs) {
  private static final Duration DEADLINE = Duration.ofMinutes(20);
  private static final String HEAP = "-Xmx2g";

  /** With less the rest, which lies in files, would be compared. */
  private static final double MOST_PERCENT = 50;

  /**
   * @param x which job it is, as the figure's axis has it
   */
  record Run(Way way, String x, JobCost cost) {}

  /** A job, and what checks what it has found. */
  interface Job {

    /** Which it is, as the figure's axis has it. */
    String x();

    Class<?> program();

    /** Arguments of the program in a run. */
    List<String> arguments(Way way);

    /** Fails when what the job has found is wrong. */
    void check(Way way) throws IOException;
  }

  static ShuffledJobs measure(FigureRun figures, String name, List<? extends Job> jobs, int rounds)
      throws IOException, InterruptedException {
    JobRuns lab =
        new JobRuns(figures, Files.createDirectories(figures.directory().resolve(name)), DEADLINE);
    List<Way> ways = Way.working();
    List<Run> runs = new ArrayList<>();
    for (Job job : jobs) {
      for (int round = 0; round < rounds; round++) {
        List<Way> order = new ArrayList<>(ways);
        Collections.rotate(order, round);
        for (Way way : order) {
          JobCost cost =
              lab.run(
                      way.title(),
                      job.program(),
                      List.of(HEAP),
                      Arguments.of("--runner=NemoRunner", way.options(), job.arguments(way)))
                  .orElseThrow(
                      () ->
                          new ExperimentFailure(
                              "%s over %s did not end well. Its log is %s.",
                              name, way.title(), lab.log(way.title())));
          job.check(way);
          figures.progress(
              String.format(
                  Locale.ROOT,
                  "%s %s, round %d, %s: %.1f s, blocked %.1f s, %.1f s of processors",
                  name,
                  job.x(),
                  round + 1,
                  way.title(),
                  cost.seconds(),
                  cost.blockedSeconds(),
                  cost.cpuSeconds()));
          runs.add(new Run(way, job.x(), cost));
        }
      }
    }
    return new ShuffledJobs(ways, List.copyOf(runs));
  }

  /** The jobs, in their order. */
  List<String> x() {
    return runs.stream().map(Run::x).distinct().toList();
  }

  /** The median of what the runs of a job over a way cost. */
  double median(Way way, String x, ToDoubleFunction<JobCost> figure) {
    return Summary.of(costs(way, x).toList(), figure).median();
  }

  /** Their standard deviation. */
  double deviation(Way way, String x, ToDoubleFunction<JobCost> figure) {
    return Summary.deviation(costs(way, x).toList(), figure);
  }

  private Stream<JobCost> costs(Way way, String x) {
    return runs.stream().filter(run -> run.way() == way && run.x().equals(x)).map(Run::cost);
  }

  /** Of the ways that read from pooled pages the one with the least of a figure of a job. */
  Way bestPooled(String x, ToDoubleFunction<JobCost> figure) {
    return Stream.of(Way.TCP, Way.UCX)
        .filter(ways::contains)
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
