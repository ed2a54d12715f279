// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.startup;

import dev.anemone.evaluation.lab.experiment.ExperimentCommand;
import dev.anemone.evaluation.lab.experiment.Runs;
import dev.anemone.evaluation.lab.process.Arguments;
import dev.anemone.evaluation.lab.report.MarkdownTable;
import dev.anemone.evaluation.lab.report.Summary;
import dev.anemone.examples.minimal.Minimal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code evaluation/run startup}: a pipeline that has nothing to do, first and later runs. */
@Command(name = "startup")
public final class StartupMeasurement extends ExperimentCommand {
  private static final long ELEMENTS = 3;

  @Option(
      names = "--nemo-option",
      paramLabel = "OPTION",
      description = "An option of NemoRunner, such as --nemo-option=--deployMode=yarn.")
  private List<String> nemoOptions = List.of();

  @Mixin private Runs runs = new Runs(20);

  /** Times from a pipeline's construction to its metrics; the first run starts the engine. */
  record Figures(double firstMilliseconds, List<Double> laterMilliseconds) {}

  @Override
  protected boolean measure() throws IOException {
    double first = milliseconds();
    List<Double> later = new ArrayList<>();
    for (int run = 0; run < runs.count(); run++) {
      later.add(milliseconds());
    }
    Summary summary = Summary.of(later);
    publish(
        new Figures(first, later),
        "A trivial pipeline, again and again in one JVM",
        new MarkdownTable(
                "trivial pipeline; first ms|%.0f; later runs; median ms|%.0f; max ms|%.0f")
            .row("NemoRunner", first, later.size(), summary.median(), summary.max()));
    return true;
  }

  private double milliseconds() {
    List<String> arguments = Arguments.of("--runner=NemoRunner", "--progress=off", nemoOptions);
    long start = System.nanoTime();
    PipelineOptions options =
        PipelineOptionsFactory.fromArgs(arguments.toArray(String[]::new)).create();
    long elements = Minimal.run(options);
    double milliseconds = (System.nanoTime() - start) / 1e6;
    if (elements != ELEMENTS) {
      throw new IllegalStateException(
          "The pipeline of " + ELEMENTS + " elements has counted " + elements + ".");
    }
    return milliseconds;
  }
}
