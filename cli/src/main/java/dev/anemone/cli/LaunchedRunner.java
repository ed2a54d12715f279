// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cli;

import dev.anemone.beam.NemoRunner;
import dev.anemone.beam.options.NemoPipelineOptions;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.PipelineRunner;
import org.apache.beam.sdk.options.PipelineOptions;

/**
 * {@link NemoRunner} for a program that the command line runs. With {@code --blockOnRun=false} a
 * main method may return before its pipelines have ended, and the JVM's end would take them with
 * it; so the pipelines are remembered, and the command line waits for them, but for those that are
 * detached. Failures are remembered, too: a program may not care.
 */
public final class LaunchedRunner extends PipelineRunner<PipelineResult> {
  /** Of each pipeline: waits for it, and throws what has made it fail. */
  private static final Queue<Runnable> STARTED = new ConcurrentLinkedQueue<>();

  private final NemoRunner runner;
  private final boolean detached;

  private LaunchedRunner(NemoRunner runner, boolean detached) {
    this.runner = runner;
    this.detached = detached;
  }

  /** Beam calls this. */
  public static LaunchedRunner fromOptions(PipelineOptions options) {
    return new LaunchedRunner(
        NemoRunner.fromOptions(options), options.as(NemoPipelineOptions.class).getDetached());
  }

  @Override
  public PipelineResult run(Pipeline pipeline) {
    try {
      PipelineResult result = runner.run(pipeline);
      if (!detached) {
        STARTED.add(result::waitUntilFinish);
      }
      return result;
    } catch (Pipeline.PipelineExecutionException failed) {
      STARTED.add(
          () -> {
            throw failed;
          });
      throw failed;
    }
  }

  /**
   * Waits for every pipeline that was started and ends with this program.
   *
   * @throws Pipeline.PipelineExecutionException if one of them failed, whether or not the program
   *     cared
   */
  static void awaitStarted() {
    for (Runnable pipeline = STARTED.poll(); pipeline != null; pipeline = STARTED.poll()) {
      pipeline.run();
    }
  }
}
