// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer.lineage;

/**
 * Two tasks of a stage have read different versions of what a stage before it has written, and one
 * of them has ended: nothing but running the job again makes the result right.
 */
public final class MixedVersionsException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** Says which tasks of which stage have read what. */
  public MixedVersionsException(String stage, int task, int other, String producerStage) {
    super(
        "tasks "
            + other
            + " and "
            + task
            + " of "
            + stage
            + " have read different versions of the output of "
            + producerStage
            + ": a part of it was lost, and when it was made again it was not the same. A step"
            + " before it makes something random, or depends on the order of its input. Results"
            + " would have elements twice, and lack others.");
  }

  /** Whether this is why something failed. */
  public static boolean isCauseOf(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof MixedVersionsException) {
        return true;
      }
    }
    return false;
  }
}
