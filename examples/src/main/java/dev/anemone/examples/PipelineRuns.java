// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples;

import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult;

/** Runs pipelines whose result the program itself needs. */
public final class PipelineRuns {
  private PipelineRuns() {}

  /**
   * Runs a pipeline and waits until it is done. Some runners report a failed pipeline by its state
   * only, so the state is checked.
   *
   * @throws IllegalStateException if the pipeline ended in another state than {@code DONE}
   */
  public static PipelineResult complete(Pipeline pipeline) {
    PipelineResult result = pipeline.run();
    PipelineResult.State state = result.waitUntilFinish();
    if (state != PipelineResult.State.DONE) {
      throw new IllegalStateException(
          "The pipeline ended in state " + state + ", so its output is not complete.");
    }
    return result;
  }
}
