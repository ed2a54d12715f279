// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.terasort;

import dev.anemone.evaluation.lab.DirectoryTree;
import dev.anemone.evaluation.lab.pool.PoolServerProcess;
import dev.anemone.evaluation.lab.process.ProcessFigures;
import dev.anemone.evaluation.lab.report.FiguresFile;
import dev.anemone.evaluation.lab.report.Machine;
import dev.anemone.evaluation.lab.report.MarkdownTable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * Sorts the same records with less and less memory, with shuffle and spills in local files and in
 * the DRAM of another process, in turns. After Figure 7 of the DMO paper.
 */
final class MemorySweep {
  /** The raw figures, in the directory of the experiment. */
  static final String FIGURES_FILE = "figures.json";

  static final String FILES = "local files";
  static final String POOL = "pool";

  private static final int RECORD_BYTES = 100;

  private final SweepPlan plan;
  private final PrintWriter out;
  private final TeraSortPrograms programs;
  private final Path input;
  private final List<SweepFigures.Sort> sorts = new ArrayList<>();

  /**
   * @param out for the table
   */
  MemorySweep(SweepPlan plan, PrintWriter out) {
    this.plan = plan;
    this.out = out;
    this.programs =
        new TeraSortPrograms(
            plan.directory(), plan.classPath(), plan.jvmOptions(), plan.deadline());
    this.input = plan.directory().resolve("input");
  }

  /**
   * Sorts at every point, prints the table, and writes the raw figures. The records are deleted.
   *
   * @throws dev.anemone.evaluation.lab.ExperimentFailure if the records cannot be made, or a sort
   *     says that it has finished and has not sorted
   * @throws IOException if a file cannot be read or written, or no JVM can be started
   */
  SweepFigures run() throws IOException, InterruptedException {
    Files.createDirectories(plan.directory());
    DirectoryTree.delete(input);
    String started = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    double load = Machine.load();
    try {
      require("teragen", List.of("--records=" + plan.records(), "--output=" + input));
      for (int run = 0; run < plan.runs(); run++) {
        for (SweepPlan.MemoryPoint point : plan.points()) {
          sort(FILES, point, List.of());
          sortInPool(point);
        }
      }
    } finally {
      DirectoryTree.delete(input);
    }
    SweepFigures figures =
        new SweepFigures(
            started,
            Machine.current(),
            load,
            plan.records() * RECORD_BYTES,
            plan.transport(),
            List.copyOf(sorts));
    Path file = plan.directory().resolve(FIGURES_FILE);
    FiguresFile.write(file, figures);
    print(figures, file);
    return figures;
  }

  private void require(String program, List<String> arguments)
      throws IOException, InterruptedException {
    programs.requireSuccess(program, programs.run(program, program, List.of(), arguments));
  }

  /** A pool for each sort, so that none finds what another has left. */
  private void sortInPool(SweepPlan.MemoryPoint point) throws IOException, InterruptedException {
    try (PoolServerProcess server =
        PoolServerProcess.start(
            plan.transport(),
            plan.poolMegabytes(),
            PoolServerProcess.SMALL_CHUNK_BYTES,
            plan.classPath(),
            programs.log("server"))) {
      sort(POOL, point, server.runnerOptions());
    }
  }

  private void sort(String side, SweepPlan.MemoryPoint point, List<String> options)
      throws IOException, InterruptedException {
    Path output = plan.directory().resolve("sorted");
    Path temporary = plan.directory().resolve("tmp");
    DirectoryTree.delete(output);
    DirectoryTree.delete(temporary);
    Files.createDirectories(temporary);
    try {
      List<String> runnerOptions = new ArrayList<>(options);
      runnerOptions.addAll(plan.runnerOptions());
      ProcessFigures figures =
          programs.run(
              side.replace(' ', '-') + "-" + point.text().replace(':', '-'),
              "terasort",
              TeraSortPrograms.bounds(point.heapMegabytes() + "m", point.offHeapMegabytes()),
              TeraSortPrograms.sortArguments(
                  input, output, temporary, point.offHeapMegabytes(), runnerOptions));
      if (figures.succeeded()) {
        require("teravalidate", List.of("--input=" + input, "--output=" + output));
      }
      sorts.add(
          new SweepFigures.Sort(
              side,
              point,
              outcome(figures),
              figures.wall().toNanos() / 1e9,
              figures.peakResidentBytes()));
    } finally {
      DirectoryTree.delete(output);
      DirectoryTree.delete(temporary);
    }
  }

  private static SweepFigures.Outcome outcome(ProcessFigures figures) {
    if (figures.exitCode().isEmpty()) {
      return SweepFigures.Outcome.KILLED;
    }
    return figures.succeeded() ? SweepFigures.Outcome.SORTED : SweepFigures.Outcome.FAILED;
  }

  private void print(SweepFigures figures, Path file) {
    MarkdownTable table =
        new MarkdownTable("heap:direct MB", FILES + " s", POOL + " s", "pool / files");
    for (SweepPlan.MemoryPoint point : plan.points()) {
      OptionalDouble files = figures.seconds(FILES, point);
      OptionalDouble pool = figures.seconds(POOL, point);
      table.row(
          point.text(),
          seconds(files),
          seconds(pool),
          files.isPresent() && pool.isPresent()
              ? String.format(Locale.ROOT, "%.2f", pool.getAsDouble() / files.getAsDouble())
              : "-");
    }
    table.row("least MB", least(figures, FILES), least(figures, POOL), "");
    out.printf(
        Locale.ROOT,
        "TeraSort, %,d bytes, medians of %d runs; pool of %d MB over %s%n"
            + "%s; load %.1f; started %s%n%n%s%nRaw figures: %s%n",
        figures.bytes(),
        plan.runs(),
        plan.poolMegabytes(),
        plan.transport(),
        figures.machine().describe(),
        figures.loadBefore(),
        figures.started(),
        table,
        file);
    out.flush();
  }

  private static String seconds(OptionalDouble seconds) {
    return seconds.isEmpty()
        ? "did not finish"
        : String.format(Locale.ROOT, "%.1f", seconds.getAsDouble());
  }

  private static String least(SweepFigures figures, String side) {
    return figures.leastMegabytes(side).isEmpty()
        ? "-"
        : Integer.toString(figures.leastMegabytes(side).getAsInt());
  }
}
