// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.wordcount;

import dev.anemone.evaluation.lab.data.Corpus;
import dev.anemone.evaluation.lab.data.TrueCounts;
import dev.anemone.evaluation.lab.process.ProcessFigures;
import dev.anemone.evaluation.lab.report.FiguresFile;
import dev.anemone.evaluation.lab.report.Machine;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import org.apache.beam.sdk.util.ReleaseInfo;

/** Carries out a {@link ComparisonPlan}, and reports. */
final class Comparison {
  /** The raw figures, in the directory of the plan. */
  static final String FIGURES_FILE = "figures.json";

  private final ComparisonPlan plan;
  private final PrintWriter out;
  private final PrintWriter err;

  /**
   * @param out for the table
   * @param err for the progress, and for what went wrong
   */
  Comparison(ComparisonPlan plan, PrintWriter out, PrintWriter err) {
    this.plan = plan;
    this.out = out;
    this.err = err;
  }

  /**
   * Runs all, prints the table, and writes the raw figures.
   *
   * @return whether every run was correct
   * @throws IOException if a file cannot be read or written, or no JVM can be started
   */
  boolean run() throws IOException, InterruptedException {
    Corpus corpus =
        Corpus.of(
            plan.directory().resolve("corpus"),
            plan.textBytes(),
            plan.distinctWords(),
            plan.seed());
    TrueCounts trueCounts = TrueCounts.read(corpus.counts());
    Path text = plan.textFiles() == 1 ? corpus.text() : corpus.inFiles(plan.textFiles());
    long textBytes = Corpus.load(text);
    String started = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    Machine machine = Machine.current();
    warnIfBusy(machine);
    List<MeasuredRun> runs =
        new InterleavedRuns(text, trueCounts, plan.directory(), plan.jvmOptions(), plan.deadline())
            .run(plan.runners(), plan.rounds(), this::printProgress);
    ComparisonFigures figures =
        new ComparisonFigures(
            started,
            machine,
            ReleaseInfo.getReleaseInfo().getVersion(),
            textBytes,
            trueCounts.words(),
            trueCounts.distinctWords(),
            plan.jvmOptions(),
            runs.stream().map(ComparisonFigures.Run::of).toList());
    Path file = plan.directory().resolve(FIGURES_FILE);
    FiguresFile.write(file, figures);
    printTable(figures, ComparisonTable.of(runs), file);
    return runs.stream().allMatch(MeasuredRun::isCorrect);
  }

  private void warnIfBusy(Machine machine) {
    double load = Machine.load();
    if (machine.isBusy(load)) {
      err.printf(
          Locale.ROOT,
          "Other programs keep this machine busy (load %.1f on %d processors): the figures will say"
              + " more about them than about the runners.%n",
          load,
          machine.processors());
      err.flush();
    }
  }

  private void printProgress(MeasuredRun run) {
    ProcessFigures figures = run.figures();
    err.printf(
        Locale.ROOT,
        "round %d, %s: %.2f s, %s%n",
        run.round(),
        run.runner(),
        figures.wall().toMillis() / 1e3,
        run.outcome().description());
    err.flush();
  }

  private void printTable(ComparisonFigures figures, String table, Path file) {
    out.printf(
        Locale.ROOT,
        "Word count, %,d bytes, %,d words, %,d distinct; Beam %s; %s%n%s; started %s%n%n%s%n"
            + "Raw figures: %s%n",
        figures.textBytes(),
        figures.words(),
        figures.distinctWords(),
        figures.beamVersion(),
        String.join(" ", figures.jvmOptions()),
        figures.machine().describe(),
        figures.started(),
        table,
        file);
    out.flush();
  }
}
