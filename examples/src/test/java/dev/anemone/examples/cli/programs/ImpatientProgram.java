// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.cli.programs;

import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.io.TextIO;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.transforms.Create;

/** A user's program that starts a pipeline and does not wait for it. */
public final class ImpatientProgram {

  /** Where to write to. */
  public interface Options extends PipelineOptions {
    String getOutput();

    void setOutput(String output);
  }

  private ImpatientProgram() {}

  @SuppressWarnings("CheckReturnValue") // That is the point.
  public static void main(String[] args) {
    Options options = PipelineOptionsFactory.fromArgs(args).as(Options.class);
    Pipeline pipeline = Pipeline.create(options);
    pipeline
        .apply(Create.of("done"))
        .apply(TextIO.write().to(options.getOutput()).withNumShards(1));
    pipeline.run();
  }
}
