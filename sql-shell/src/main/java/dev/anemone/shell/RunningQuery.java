// SPDX-License-Identifier: Apache-2.0
package dev.anemone.shell;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult;

/** The pipeline of the statement that runs, which another thread may cancel. Thread-safe. */
final class RunningQuery {
  private PipelineResult job;
  private boolean cancelled;

  /** Nobody has typed yet what runs next: what was cancelled before does not count for it. */
  synchronized void begin() {
    job = null;
    cancelled = false;
  }

  /** Cancels the job that runs, or lets none start until {@link #begin}. */
  void cancel() {
    PipelineResult started;
    synchronized (this) {
      cancelled = true;
      started = job;
    }
    if (started != null) {
      cancel(started);
    }
  }

  /**
   * Runs a pipeline to its end.
   *
   * @throws StatementException if it was cancelled
   * @throws IllegalStateException if it ended in another state than {@code DONE}
   * @throws Pipeline.PipelineExecutionException if it failed
   */
  void complete(Pipeline pipeline) {
    requireWanted();
    PipelineResult started = pipeline.run();
    synchronized (this) {
      job = started;
    }
    if (isCancelled()) {
      cancel(started);
    }
    PipelineResult.State state;
    try {
      state = started.waitUntilFinish();
    } catch (Pipeline.PipelineExecutionException failed) {
      requireWanted();
      throw failed;
    }
    requireWanted();
    synchronized (this) {
      job = null;
    }
    if (state != PipelineResult.State.DONE) {
      throw new IllegalStateException("The query ended in state " + state + ".");
    }
  }

  private synchronized boolean isCancelled() {
    return cancelled;
  }

  /**
   * Goes on only when nobody has cancelled what runs.
   *
   * @throws StatementException if it was cancelled
   */
  void requireWanted() {
    if (isCancelled()) {
      throw new StatementException("The query was cancelled.", null);
    }
  }

  private static void cancel(PipelineResult job) {
    try {
      job.cancel();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
