// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.task;

import dev.anemone.runtime.tez.job.JobFiles;
import java.io.IOException;
import org.apache.tez.runtime.api.ProcessorContext;

/**
 * Tells the client why an attempt has failed, unless that is that Tez had told it to end: others
 * were faster, or their failure has ended the job. Thread-safe.
 */
final class FailureReport {

  private final ProcessorContext context;
  private volatile boolean toldToEnd;

  FailureReport(ProcessorContext context) {
    this.context = context;
  }

  /** Tez calls for the end of the attempt, which it does before it interrupts its thread. */
  void toldToEnd() {
    toldToEnd = true;
  }

  /** Whether Tez has told the attempt to end. */
  boolean isToldToEnd() {
    return toldToEnd;
  }

  /**
   * Writes why the attempt has failed.
   *
   * @param stage name of its stage
   * @param failure has as suppressed why it could not be written, if so
   */
  void write(JobFiles files, String stage, Throwable failure) {
    if (toldToEnd) {
      return;
    }
    // User code may have marked the thread as interrupted, which would close the file.
    boolean interrupted = Thread.interrupted();
    try {
      files.writeFailure(stage, context.getTaskIndex(), context.getTaskAttemptNumber(), failure);
    } catch (IOException | RuntimeException e) {
      failure.addSuppressed(e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
