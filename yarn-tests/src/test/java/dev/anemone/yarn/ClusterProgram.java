// SPDX-License-Identifier: Apache-2.0
package dev.anemone.yarn;

import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.options.Validation;

/** A user's program, in a JVM of its own. */
public final class ClusterProgram {

  /** What it reads and writes. */
  public interface Options extends PipelineOptions {
    @Validation.Required
    String getInput();

    void setInput(String input);

    @Validation.Required
    String getOutput();

    void setOutput(String output);
  }

  private ClusterProgram() {}

  /** Counts words and waits for the end of that. */
  public static void main(String[] args) {
    Options options = PipelineOptionsFactory.fromArgs(args).withValidation().as(Options.class);
    FaultyWordCount.pipeline(options, options.getInput(), options.getOutput())
        .run()
        .waitUntilFinish();
  }
}
