// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples;

import dev.anemone.examples.files.ShardedOutput;
import java.io.IOException;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.options.Default;
import org.apache.beam.sdk.options.PipelineOptions;

/** Runs pipelines whose result the program itself needs. */
public final class PipelineRuns {
  /** An option of NemoRunner, for programs that run where its classes are not. */
  public interface Detachable extends PipelineOptions {
    @Default.Boolean(false)
    boolean getDetached();

    void setDetached(boolean detached);
  }

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

  /**
   * Runs a pipeline that writes files, and prints their names. A pipeline that is {@code
   * --detached} goes on without this program, which prints nothing then.
   *
   * @throws IllegalArgumentException if a detached pipeline would write beside the files of an
   *     earlier run
   * @throws IllegalStateException if the pipeline ended in another state than {@code DONE}
   * @throws IOException if the files cannot be listed
   */
  public static void writeFiles(Pipeline pipeline, ShardedOutput output) throws IOException {
    if (pipeline.getOptions().as(Detachable.class).getDetached()) {
      output.requireFree();
      pipeline.run();
      return;
    }
    complete(pipeline);
    for (String file : output.finish()) {
      System.out.println(file);
    }
  }
}
