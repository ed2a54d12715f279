// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.spi;

/**
 * Marks exceptions of a task's links: what another task has written or taken is gone or damaged, or
 * cannot be kept here. Another attempt is the remedy, and they say nothing of what the task runs.
 */
public interface DataPlaneFailure {

  /** Whether the data plane is to blame for a failure, which may be the cause of others. */
  static boolean isCauseOf(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof DataPlaneFailure) {
        return true;
      }
    }
    return false;
  }
}
