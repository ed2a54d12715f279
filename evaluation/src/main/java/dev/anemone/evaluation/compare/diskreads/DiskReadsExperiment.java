// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.diskreads;

import dev.anemone.evaluation.lab.report.FiguresFile;
import dev.anemone.evaluation.lab.report.Machine;
import dev.anemone.evaluation.lab.report.MarkdownTable;
import dev.anemone.evaluation.lab.workload.ShuffleShape;
import dev.anemone.evaluation.lab.workload.Side;
import dev.anemone.evaluation.lab.workload.WorkloadProcess;
import dev.anemone.evaluation.lab.workload.WorkloadReport;
import dev.anemone.evaluation.lab.workload.WorkloadRun;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;

/** Shuffles with more and more tasks, with each policy, and counts the disk reads. */
final class DiskReadsExperiment {
  /** The raw figures, in the directory of the experiment. */
  static final String FIGURES_FILE = "figures.json";

  /** The curves, likewise. */
  static final String CHART_FILE = "seeks.png";

  private final Path directory;
  private final WorkloadProcess process;
  private final PrintWriter out;
  private final PrintWriter err;

  /**
   * @param directory for the figures and the chart; made if missing
   * @param process runs the shuffles
   * @param out for the table
   * @param err for the progress
   */
  DiskReadsExperiment(Path directory, WorkloadProcess process, PrintWriter out, PrintWriter err) {
    this.directory = directory;
    this.process = process;
    this.out = out;
    this.err = err;
  }

  /**
   * Runs all, prints the table, draws the curves, and writes the raw figures.
   *
   * @param sides to compare
   * @param parallelisms number of producers, and of consumers, of each shuffle
   * @param bytesPerBlock what a producer has for a consumer, on average
   * @throws dev.anemone.evaluation.lab.ExperimentFailure if a run fails or shuffles wrong
   * @throws IOException if a file cannot be read or written, or no JVM can be started
   */
  DiskReadsFigures run(List<Side> sides, List<Integer> parallelisms, long bytesPerBlock, long seed)
      throws IOException, InterruptedException {
    Files.createDirectories(directory);
    String started = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    List<DiskReadsFigures.Run> runs = new ArrayList<>();
    for (int parallelism : parallelisms) {
      long bytes = (long) parallelism * parallelism * bytesPerBlock;
      ShuffleShape shape = ShuffleShape.ofBytes(parallelism, parallelism, bytes, seed);
      for (Side side : sides) {
        String name = side.policy() + "-" + parallelism;
        WorkloadRun run = process.run(name, shape, side.runnerOptions(), UnaryOperator.identity());
        runs.add(figures(side, shape, run));
        printProgress(runs.get(runs.size() - 1));
      }
    }
    DiskReadsFigures figures =
        new DiskReadsFigures(started, Machine.current(), bytesPerBlock, runs);
    Path file = directory.resolve(FIGURES_FILE);
    FiguresFile.write(file, figures);
    Path chart = directory.resolve(CHART_FILE);
    GrowthChart.draw(runs, chart);
    print(figures, file, chart);
    return figures;
  }

  private static DiskReadsFigures.Run figures(Side side, ShuffleShape shape, WorkloadRun run) {
    WorkloadReport report = run.report();
    long seeks = report.ofConsumers("diskSeeks");
    return new DiskReadsFigures.Run(
        side.policy(),
        shape.producers(),
        shape.consumers(),
        shape.bytes(),
        run.figures().wall().toNanos() / 1e9,
        report.ofConsumers("diskReads"),
        seeks,
        report.ofConsumers("diskReadBytes"),
        report.total("diskSeeks") - seeks,
        report.total("pushedBytes"),
        report.total("fallenBackBytes"),
        report.edges());
  }

  private void printProgress(DiskReadsFigures.Run run) {
    err.printf(
        Locale.ROOT,
        "%d x %d, %s: %,d seeks, %.2f s%n",
        run.producers(),
        run.consumers(),
        run.policy(),
        run.seeks(),
        run.wallSeconds());
    err.flush();
  }

  private void print(DiskReadsFigures figures, Path file, Path chart) {
    MarkdownTable table =
        new MarkdownTable(
            "policy",
            "producers P",
            "consumers C",
            "P x C",
            "MB",
            "consumers' reads",
            "their seeks",
            "MB read",
            "seeks before",
            "MB fallen back");
    for (DiskReadsFigures.Run run : figures.runs()) {
      table.row(
          run.policy(),
          Integer.toString(run.producers()),
          Integer.toString(run.consumers()),
          whole(run.blocks()),
          megabytes(run.shuffledBytes()),
          whole(run.reads()),
          whole(run.seeks()),
          megabytes(run.readBytes()),
          whole(run.seeksBefore()),
          megabytes(run.fallenBackBytes()));
    }
    out.printf(
        Locale.ROOT,
        "Disk reads of a shuffle, %,d bytes from each producer for each consumer%n%s; started"
            + " %s%n%n%s%nCurves: %s%nRaw figures: %s%n",
        figures.bytesPerBlock(),
        figures.machine().describe(),
        figures.started(),
        table,
        chart,
        file);
    out.flush();
  }

  private static String whole(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  private static String megabytes(long bytes) {
    return String.format(Locale.ROOT, "%.1f", bytes / 1e6);
  }
}
