// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.startup;

import dev.anemone.evaluation.lab.EvaluationDirectory;
import dev.anemone.evaluation.lab.experiment.ExperimentCommand;
import dev.anemone.evaluation.lab.report.FiguresFile;
import dev.anemone.evaluation.lab.report.MarkdownTable;
import dev.anemone.evaluation.lab.report.Summary;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code evaluation/run startup}: a pipeline that has nothing to do, first and later runs. */
@Command(
    name = "startup",
    sortOptions = false,
    description =
        "Runs three elements through one ParDo on NemoRunner, again and again in one JVM, and"
            + " prints the time of the first run, which starts the engine, and of the later"
            + " ones.%n")
public final class StartupMeasurement extends ExperimentCommand {
  @Option(
      names = "--runs",
      defaultValue = "20",
      paramLabel = "N",
      description = "Runs after the first one (default: ${DEFAULT-VALUE}).")
  private int runs;

  @Option(
      names = "--nemo-option",
      paramLabel = "OPTION",
      description = "An option of NemoRunner, such as --nemo-option=--deployMode=yarn.")
  private List<String> nemoOptions = List.of();

  @Override
  protected boolean measure() throws IOException {
    require("--runs", runs, runs >= 1, "there must be a run after the first one");
    Path directory = EvaluationDirectory.ofLauncher().results("startup");
    Files.createDirectories(directory);
    StartupFigures figures = StartupRuns.measure(runs, nemoOptions);
    Path file = directory.resolve("figures.json");
    FiguresFile.write(file, figures);
    print(figures, file, out());
    return true;
  }

  private static void print(StartupFigures figures, Path file, PrintWriter out) {
    Summary later = figures.later();
    MarkdownTable table =
        new MarkdownTable("trivial pipeline", "first ms", "later runs", "median ms", "max ms")
            .row(
                "NemoRunner",
                whole(figures.firstMilliseconds()),
                Integer.toString(figures.laterMilliseconds().size()),
                whole(later.median()),
                whole(later.max()));
    out.printf(
        Locale.ROOT,
        "%s; load %.1f%n%n%s%nRaw figures: %s%n",
        figures.machine().describe(),
        figures.loadBefore(),
        table,
        file);
    out.flush();
  }

  private static String whole(double milliseconds) {
    return String.format(Locale.ROOT, "%.0f", milliseconds);
  }
}
