// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.job;

import dev.anemone.evaluation.lab.report.Summary;
import dev.anemone.evaluation.papers.figure.FigureRun;
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
 * Jobs on several sides.
 *
 * @param sides in the order of the first round
 * @param runs in the order in which they ran
 */
public record ComparedJobs<S extends ComparedJobs.Side>(List<S> sides, List<Run<S>> runs) {
  private static final Duration DEADLINE = Duration.ofMinutes(20);

  /** One of the sides that are compared. */
  public interface Side {

    /** As tables have it. */
    String title();

    /**
     * Runs a job once, and checks what it has found.
     *
     * @throws dev.anemone.evaluation.lab.ExperimentFailure when it did not end well, or is wrong
     */
    JobCost run(JobRuns lab, Workload workload) throws IOException, InterruptedException;
  }

  /**
   * A job that all sides run.
   *
   * @param x which it is, as the figure's axis has it
   */
  public record Job(String x, Workload workload) {}

  /**
   * One run of a job.
   *
   * @param x which job it is
   */
  public record Run<S>(S side, String x, JobCost cost) {}

  /**
   * Runs all jobs, each some rounds long on all sides in turn; another side begins each round.
   *
   * @param name of the directory for logs and passing files, in that of the figures
   */
  public static <S extends Side> ComparedJobs<S> measure(
      FigureRun figures, String name, List<Job> jobs, List<S> sides, int rounds)
      throws IOException, InterruptedException {
    JobRuns lab =
        new JobRuns(figures, Files.createDirectories(figures.directory().resolve(name)), DEADLINE);
    List<Run<S>> runs = new ArrayList<>();
    for (Job job : jobs) {
      for (int round = 0; round < rounds; round++) {
        List<S> order = new ArrayList<>(sides);
        Collections.rotate(order, round);
        for (S side : order) {
          JobCost cost = side.run(lab, job.workload());
          figures.progress(
              String.format(
                  Locale.ROOT,
                  "%s %s, round %d, %s: %.1f s, blocked %.1f s, %.1f s of processors",
                  name,
                  job.x(),
                  round + 1,
                  side.title(),
                  cost.seconds(),
                  cost.blockedSeconds(),
                  cost.cpuSeconds()));
          runs.add(new Run<>(side, job.x(), cost));
        }
      }
    }
    return new ComparedJobs<>(List.copyOf(sides), List.copyOf(runs));
  }

  /** The jobs, in their order. */
  public List<String> x() {
    return runs.stream().map(Run::x).distinct().toList();
  }

  /** The median of what the runs of a job on a side cost. */
  public double median(S side, String x, ToDoubleFunction<JobCost> figure) {
    return Summary.of(costs(side, x).toList(), figure).median();
  }

  /** Their standard deviation. */
  public double deviation(S side, String x, ToDoubleFunction<JobCost> figure) {
    return Summary.deviation(costs(side, x).toList(), figure);
  }

  private Stream<JobCost> costs(S side, String x) {
    return runs.stream().filter(run -> run.side().equals(side) && run.x().equals(x)).map(Run::cost);
  }
}
