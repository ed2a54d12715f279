// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.terasort;

import dev.anemone.evaluation.lab.DirectoryTree;
import dev.anemone.evaluation.lab.ExperimentFailure;
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
import java.util.regex.Pattern;

/**
 * Generates records, sorts them in a JVM with little memory, and validates the result against what
 * was generated; each in a process of its own, by the command line of the examples.
 */
final class TeraSortExperiment {
  /** The raw figures, in the directory of the experiment. */
  static final String FIGURES_FILE = "figures.json";

  private static final int RECORD_BYTES = 100;

  /** The runner's table of edges: its titles, and a line for each edge. */
  private static final Pattern SUMMARY =
      Pattern.compile("^edge +records .*\\n(e\\d\\S* .*\\n)*", Pattern.MULTILINE);

  private final TeraSortPlan plan;
  private final PrintWriter out;
  private final TeraSortPrograms programs;
  private final List<TeraSortStep> steps = new ArrayList<>();

  /**
   * @param out for the table
   */
  TeraSortExperiment(TeraSortPlan plan, PrintWriter out) {
    this.plan = plan;
    this.out = out;
    this.programs =
        new TeraSortPrograms(
            plan.directory(), plan.classPath(), plan.jvmOptions(), plan.deadline());
  }

  /**
   * Runs all, prints the table, and writes the raw figures. The records are deleted.
   *
   * @throws ExperimentFailure if a program fails, or the result is not what was generated, sorted
   * @throws IOException if a file cannot be read or written, or no JVM can be started
   */
  TeraSortFigures run() throws IOException, InterruptedException {
    Path input = plan.directory().resolve("input");
    Path output = plan.directory().resolve("sorted");
    DirectoryTree.delete(input);
    DirectoryTree.delete(output);
    Path temporary = plan.directory().resolve("tmp");
    DirectoryTree.delete(temporary);
    Files.createDirectories(temporary);
    String started = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    double load = Machine.load();
    try {
      step("teragen", List.of(), List.of("--records=" + plan.records(), "--output=" + input));
      Path sortLog =
          step(
              "terasort",
              bounds(),
              TeraSortPrograms.sortArguments(
                  input, output, temporary, plan.offHeapMegabytes(), plan.runnerOptions()));
      Path validationLog =
          step("teravalidate", List.of(), List.of("--input=" + input, "--output=" + output));
      TeraSortFigures figures =
          new TeraSortFigures(
              started,
              Machine.current(),
              load,
              plan.records() * RECORD_BYTES,
              bounds(),
              plan.runnerOptions(),
              List.copyOf(steps),
              summary(sortLog),
              Files.readString(validationLog));
      Path file = plan.directory().resolve(FIGURES_FILE);
      FiguresFile.write(file, figures);
      print(figures, file);
      return figures;
    } finally {
      DirectoryTree.delete(input);
      DirectoryTree.delete(output);
      DirectoryTree.delete(temporary);
    }
  }

  private List<String> bounds() {
    return TeraSortPrograms.bounds(plan.heap(), plan.offHeapMegabytes());
  }

  private Path step(String program, List<String> bounds, List<String> arguments)
      throws IOException, InterruptedException {
    ProcessFigures figures = programs.run(program, program, bounds, arguments);
    programs.requireSuccess(program, figures);
    steps.add(TeraSortStep.of(program, figures));
    return programs.log(program);
  }

  private static String summary(Path log) throws IOException {
    return SUMMARY
        .matcher(Files.readString(log))
        .results()
        .findFirst()
        .orElseThrow(
            () -> new ExperimentFailure("terasort has printed no summary of edges to " + log + "."))
        .group();
  }

  private void print(TeraSortFigures figures, Path file) {
    MarkdownTable table = new MarkdownTable("program", "s", "user CPU s", "MB/s", "peak MB");
    for (TeraSortStep step : figures.steps()) {
      table.row(
          step.program(),
          format("%.2f", step.seconds()),
          format("%.2f", step.userCpuSeconds()),
          format("%.0f", figures.bytes() / 1e6 / step.seconds()),
          format("%.0f", step.peakResidentBytes() / 1e6));
    }
    out.printf(
        Locale.ROOT,
        "TeraSort, %,d bytes, sorted with %s%n%s; load %.1f; started %s%n%n%s%n%s%n%s%n"
            + "Raw figures: %s%n",
        figures.bytes(),
        String.join(" ", figures.jvmOptions()),
        figures.machine().describe(),
        figures.loadBefore(),
        figures.started(),
        table,
        figures.summary(),
        figures.validation(),
        file);
    out.flush();
  }

  private static String format(String pattern, double value) {
    return String.format(Locale.ROOT, pattern, value);
  }
}
