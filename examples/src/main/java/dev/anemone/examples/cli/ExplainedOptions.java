// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.cli;

import dev.anemone.cli.BeamArguments;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;

/** The options of a program that is explained, which needs no output. */
final class ExplainedOptions {
  private static final String OUTPUT = "--output=";

  private ExplainedOptions() {}

  /**
   * Reads the options.
   *
   * @throws IllegalArgumentException if one is missing or unknown
   */
  static <T extends PipelineOptions> T of(List<String> arguments, Class<T> type) {
    List<String> complete = new ArrayList<>(arguments);
    if (!BeamArguments.has(complete, OUTPUT)) {
      // The plan is the same for any output, and none is written.
      complete.add(OUTPUT + "result");
    }
    return PipelineOptionsFactory.fromArgs(BeamArguments.withRunner(complete))
        .withValidation()
        .as(type);
  }
}
