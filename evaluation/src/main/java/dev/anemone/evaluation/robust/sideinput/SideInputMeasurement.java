// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.robust.sideinput;

import dev.anemone.evaluation.lab.ByteSize;
import dev.anemone.evaluation.lab.EvaluationDirectory;
import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.lab.NemoJvm;
import dev.anemone.evaluation.lab.experiment.ExperimentCommand;
import dev.anemone.evaluation.lab.process.ProcessFigures;
import dev.anemone.evaluation.lab.process.ReportingProcess;
import dev.anemone.evaluation.lab.report.MarkdownTable;
import dev.anemone.evaluation.lab.workload.SideInputProgram;
import dev.anemone.evaluation.lab.workload.SideInputReport;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code evaluation/run side-input}: a side input larger than the heap. */
@Command(
    name = "side-input",
    sortOptions = false,
    description =
        "Takes pairs as a multimap side input in a JVM with little memory, looks up keys in it,"
            + " and checks what is found. Prints time and memory.%n")
public final class SideInputMeasurement extends ExperimentCommand {
  @Option(
      names = "--bytes",
      defaultValue = "5g",
      converter = ByteSize.class,
      paramLabel = "SIZE",
      description = "Size of the side input's values (default: ${DEFAULT-VALUE}).")
  private long bytes;

  @Option(
      names = "--lookups",
      defaultValue = "100000",
      paramLabel = "N",
      description = "Keys that are looked up (default: ${DEFAULT-VALUE}).")
  private long lookups;

  @Option(
      names = "--heap",
      defaultValue = "512m",
      paramLabel = "SIZE",
      description = "Largest heap, as -Xmx takes it (default: ${DEFAULT-VALUE}).")
  private String heap;

  @Option(
      names = "--nemo-option",
      paramLabel = "OPTION",
      description = "A further option of NemoRunner; may be given several times.")
  private List<String> nemoOptions = List.of();

  @Option(
      names = "--deadline",
      defaultValue = "1800",
      paramLabel = "SECONDS",
      description = "After which the program is killed (default: ${DEFAULT-VALUE}).")
  private int deadlineSeconds;

  @Override
  protected boolean measure() throws IOException, InterruptedException {
    long pairs = bytes / SideInputProgram.VALUE_BYTES / 2 * 2;
    if (pairs < 2 || lookups < 1) {
      throw wrong(
          "--bytes="
              + bytes
              + " --lookups="
              + lookups
              + ": there must be two values of "
              + SideInputProgram.VALUE_BYTES
              + " bytes, and something to look up.");
    }
    EvaluationDirectory evaluation = EvaluationDirectory.ofLauncher();
    List<String> jvmOptions = NemoJvm.options(heap);
    List<String> arguments = new ArrayList<>(List.of("--pairs=" + pairs, "--lookups=" + lookups));
    arguments.addAll(nemoOptions);
    ReportingProcess.Reported<SideInputReport> reported =
        new ReportingProcess(
                evaluation.results("side-input"),
                evaluation.ownClassPath(),
                jvmOptions,
                Duration.ofSeconds(deadlineSeconds))
            .run(
                "lookups",
                SideInputProgram.class,
                List.of(),
                arguments,
                SideInputReport.class,
                UnaryOperator.identity());
    SideInputReport report = reported.report();
    if (report.found() != lookups) {
      throw new ExperimentFailure(
          "Of "
              + lookups
              + " lookups only "
              + report.found()
              + " found what they should. The log is "
              + reported.log()
              + ".");
    }
    out().print(table(report, reported.figures()));
    out().flush();
    return true;
  }

  private static MarkdownTable table(SideInputReport report, ProcessFigures figures) {
    return new MarkdownTable(
            "side input", "pairs", "lookups", "heap MB", "wall s", "user s", "system s", "RSS MB")
        .row(
            "multimap",
            Long.toString(report.pairs()),
            Long.toString(report.lookups()),
            Long.toString(report.heapBytes() >> 20),
            seconds(figures.wall()),
            seconds(figures.userCpu()),
            seconds(figures.systemCpu()),
            Long.toString(figures.peakResidentBytes() >> 20));
  }

  private static String seconds(Duration duration) {
    return String.format(Locale.ROOT, "%.1f", duration.toMillis() / 1e3);
  }
}
