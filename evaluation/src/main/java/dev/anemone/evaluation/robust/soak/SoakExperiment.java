// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.robust.soak;

import dev.anemone.evaluation.lab.DirectoryTree;
import dev.anemone.evaluation.lab.report.FiguresFile;
import dev.anemone.evaluation.lab.report.Machine;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/** Runs jobs on one cluster, one after the other, each with its fault. */
final class SoakExperiment {
  /** The raw figures, in the directory of the experiment. */
  static final String FIGURES_FILE = "figures.json";

  private final SoakPlan plan;
  private final PrintWriter out;
  private final PrintWriter err;

  /**
   * @param out for the table
   * @param err for the progress
   */
  SoakExperiment(SoakPlan plan, PrintWriter out, PrintWriter err) {
    this.plan = plan;
    this.out = out;
    this.err = err;
  }

  /**
   * Runs all, prints the table, and writes the raw figures.
   *
   * @throws IOException if the cluster does not start or recover, or a file cannot be written
   */
  SoakFigures run() throws IOException, InterruptedException {
    String started = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    Files.createDirectories(plan.results());
    Path work = plan.results().resolve("work");
    DirectoryTree.delete(work);
    Files.createDirectories(work);
    List<SoakFigures.Job> jobs = new ArrayList<>();
    err.println("seed " + plan.seed());
    try (SoakCluster cluster =
        SoakCluster.start(work.resolve("cluster"), plan.nodes(), plan.seed())) {
      SplittableRandom random = new SplittableRandom(plan.seed());
      for (int number = 1; number <= plan.jobs(); number++) {
        SoakJob job = SoakJob.draw(plan, number, random.split(), work);
        err.println(job.describe());
        err.flush();
        jobs.add(job.run(plan, cluster, random.split()));
        report(jobs.get(jobs.size() - 1));
      }
    } finally {
      DirectoryTree.delete(work);
    }
    SoakFigures figures =
        new SoakFigures(started, Machine.current(), plan.nodes(), plan.seed(), jobs);
    Path file = plan.results().resolve(FIGURES_FILE);
    FiguresFile.write(file, figures);
    print(figures, file);
    return figures;
  }

  private void report(SoakFigures.Job job) {
    err.printf(
        Locale.ROOT,
        "job %d: %s after %.1f s%s%n",
        job.number(),
        job.outcome(),
        job.seconds(),
        job.problem().isEmpty() ? "" : ": " + job.problem());
    err.flush();
  }

  private void print(SoakFigures figures, Path file) {
    out.printf(
        Locale.ROOT,
        "%d jobs on a cluster of %d nodes, seed %d%n%s; started %s%n%n%s%n"
            + "Seconds are those of a job, with the start of its application where there was none."
            + " Raw figures: %s%n",
        figures.jobs().size(),
        figures.nodes(),
        figures.seed(),
        figures.machine().describe(),
        figures.started(),
        SoakTable.of(figures),
        file);
    out.flush();
  }
}
