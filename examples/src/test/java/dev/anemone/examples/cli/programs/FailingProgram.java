// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.cli.programs;

import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;

/** A user's program whose DoFn throws. */
public final class FailingProgram {
  private FailingProgram() {}

  public static void main(String[] args) {
    Pipeline pipeline = Pipeline.create(PipelineOptionsFactory.fromArgs(args).create());
    pipeline.apply(Create.of(1, 2, 3)).apply(ParDo.of(new FailingFn()));
    pipeline.run().waitUntilFinish();
  }

  private static final class FailingFn extends DoFn<Integer, Integer> {
    private static final long serialVersionUID = 1;

    @ProcessElement
    public void processElement(@Element Integer element) {
      if (element == 2) {
        throw new IllegalStateException("the ledger does not balance");
      }
    }
  }
}
