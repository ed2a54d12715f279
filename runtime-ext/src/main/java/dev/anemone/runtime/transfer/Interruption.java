// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer;

import java.io.InterruptedIOException;

/** Carries the interruption of a task through code that may throw only I/O exceptions. */
final class Interruption {

  private Interruption() {}

  /** The exception to throw; the thread is marked as interrupted again. */
  static InterruptedIOException of(InterruptedException e) {
    Thread.currentThread().interrupt();
    InterruptedIOException carrier = new InterruptedIOException("the task was interrupted");
    carrier.initCause(e);
    return carrier;
  }
}
