// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.startup;

import dev.anemone.evaluation.lab.report.Machine;
import dev.anemone.examples.minimal.Minimal;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;

/** Runs the trivial pipeline of the examples again and again in this JVM. */
final class StartupRuns {
  private static final long ELEMENTS = 3;

  private StartupRuns() {}

  /**
   * Measures. The first run is the first one of this JVM only if no pipeline ran before.
   *
   * @param laterRuns how many runs follow the first one
   * @param nemoOptions options of NemoRunner besides its defaults
   * @throws IllegalStateException if a run does not see the elements that it should
   */
  static StartupFigures measure(int laterRuns, List<String> nemoOptions) {
    double load = Machine.load();
    double first = milliseconds(nemoOptions);
    List<Double> later = new ArrayList<>(laterRuns);
    for (int run = 0; run < laterRuns; run++) {
      later.add(milliseconds(nemoOptions));
    }
    return new StartupFigures(Machine.current(), load, first, later);
  }

  private static double milliseconds(List<String> nemoOptions) {
    List<String> arguments = new ArrayList<>(List.of("--runner=NemoRunner", "--progress=off"));
    arguments.addAll(nemoOptions);
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
