// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.terasort;

import dev.anemone.evaluation.lab.ByteSize;
import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.lab.Megabytes;
import dev.anemone.evaluation.lab.NemoJvm;
import dev.anemone.evaluation.lab.experiment.ExperimentCommand;
import dev.anemone.evaluation.lab.experiment.ProgramOptions;
import dev.anemone.evaluation.lab.process.Arguments;
import dev.anemone.evaluation.lab.process.ProcessFigures;
import dev.anemone.evaluation.lab.process.ProcessFigures.ProcessCost;
import dev.anemone.evaluation.lab.report.MarkdownTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code evaluation/run terasort}: much data in little memory. */
@Command(name = "terasort")
public final class TeraSortMeasurement extends ExperimentCommand {
  /** The runner's table of edges: its titles, and a line for each edge. */
  private static final Pattern SUMMARY =
      Pattern.compile("^edge +records .*\\n(e\\d\\S* .*\\n)*", Pattern.MULTILINE);

  @Option(
      names = "--bytes",
      paramLabel = "SIZE",
      description = "What is sorted: bytes, or such as 10k, 200m, 1g.")
  private ByteSize bytes = ByteSize.of("4g");

  @Option(
      names = "--off-heap",
      defaultValue = "512m",
      converter = Megabytes.class,
      paramLabel = "SIZE",
      description = "Direct memory, such as 512m or 1g.")
  private int offHeapMegabytes;

  @Mixin private ProgramOptions programs = new ProgramOptions("1g", 1_800);

  private final List<Step> steps = new ArrayList<>();

  /**
   * @param summary what went over the edges of the sorting pipeline, as the runner prints it
   * @param validation what the validator printed
   */
  record Figures(
      long bytes,
      List<String> jvmOptions,
      List<String> runnerOptions,
      List<Step> steps,
      String summary,
      String validation) {}

  record Step(String program, ProcessCost cost) {}

  @Override
  protected void check() {
    require(
        "--bytes",
        bytes,
        bytes.bytes() >= TeraSortPrograms.RECORD_BYTES,
        "a record alone has " + TeraSortPrograms.RECORD_BYTES + " bytes");
  }

  @Override
  protected boolean measure() throws IOException, InterruptedException {
    List<String> chosen = programs.chosenJvmOptions();
    List<String> bounds =
        Arguments.of(
            TeraSortPrograms.bounds(programs.heap(), offHeapMegabytes),
            chosen.subList(1, chosen.size()));
    long records = bytes.bytes() / TeraSortPrograms.RECORD_BYTES;
    try (TeraSortPrograms terasort =
        new TeraSortPrograms(
            directory(),
            evaluation().nemoClassPath(),
            NemoJvm.options(),
            programs.nemoOptions(),
            programs.deadline())) {
      add("teragen", terasort.generate(records));
      Path sortLog =
          add(
              "terasort",
              terasort
                  .sort("terasort", bounds, offHeapMegabytes, List.of())
                  .requireSuccess("terasort"));
      Path validationLog = add("teravalidate", terasort.validate());
      Figures figures =
          new Figures(
              records * TeraSortPrograms.RECORD_BYTES,
              bounds,
              programs.nemoOptions(),
              steps,
              summary(sortLog),
              Files.readString(validationLog));
      publish(
          figures,
          text("TeraSort, %,d bytes, sorted with %s", figures.bytes(), String.join(" ", bounds)),
          table(figures),
          figures.summary(),
          figures.validation());
    }
    return true;
  }

  private Path add(String program, ProcessFigures figures) {
    steps.add(new Step(program, figures.cost()));
    progress("%s: %.2f s", program, figures.cost().wallSeconds());
    return figures.log();
  }

  private static String summary(Path log) throws IOException {
    return SUMMARY
        .matcher(Files.readString(log))
        .results()
        .findFirst()
        .orElseThrow(
            () -> new ExperimentFailure("terasort has printed no summary of edges to %s.", log))
        .group();
  }

  private static MarkdownTable table(Figures figures) {
    MarkdownTable table =
        new MarkdownTable("program; s|%.2f; user CPU s|%.2f; MB/s|%.0f; peak MB|%.0f");
    for (Step step : figures.steps()) {
      ProcessCost cost = step.cost();
      table.row(
          step.program(),
          cost.wallSeconds(),
          cost.userCpuSeconds(),
          figures.bytes() / 1e6 / cost.wallSeconds(),
          cost.peakMegabytes());
    }
    return table;
  }
}
