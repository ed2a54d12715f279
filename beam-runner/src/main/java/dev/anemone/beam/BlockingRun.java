// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam;

import java.time.Duration;
import java.util.Optional;
import org.apache.beam.sdk.Pipeline;

/** Waits in {@code run()} for a pipeline's end. */
final class BlockingRun {

  private BlockingRun() {}

  /**
   * Waits. Nobody has the result as long as {@code run()} has not returned it, so a pipeline that
   * is not waited for any longer is cancelled.
   *
   * @param limit how long it may take; empty for as long as it takes
   * @throws Pipeline.PipelineExecutionException when the pipeline failed; the cause is what user
   *     code threw
   * @throws AssertionError when it still ran after the limit; it was cancelled then
   * @throws IllegalStateException when this thread was interrupted; the pipeline was cancelled then
   */
  static void await(NemoPipelineResult result, Optional<Duration> limit) {
    try {
      if (!result.awaitEnd(limit)) {
        result.cancel();
        throw new AssertionError(
            "The pipeline was cancelled, since it still ran after the "
                + limit.orElseThrow().toSeconds()
                + " s of --testTimeoutSeconds.");
      }
    } catch (InterruptedException e) {
      result.cancel();
      Thread.currentThread().interrupt();
      throw new IllegalStateException(
          "The pipeline was cancelled, since the thread that ran it was interrupted.", e);
    }
    result.waitUntilFinish();
  }
}
