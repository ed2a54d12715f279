// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.step;

import org.apache.beam.sdk.util.UserCodeException;

/**
 * Beam wraps what user code throws in a {@link UserCodeException}. Each operator takes the wrapping
 * off again, so that the job fails with the user's own exception however many steps are fused above
 * the one that failed.
 */
public final class UserFailures {

  private UserFailures() {}

  /** The exception that the user's code threw; an error is thrown at once. */
  static Exception unwrap(UserCodeException wrapped) {
    Throwable cause = wrapped.getCause();
    if (cause instanceof Error error) {
      throw error;
    }
    return cause instanceof Exception exception ? exception : wrapped;
  }

  /** Makes a failure of a called step pass through user code, which cannot throw it as it is. */
  public static RuntimeException passThrough(Exception failure) {
    return failure instanceof RuntimeException unchecked
        ? unchecked
        : UserCodeException.wrap(failure);
  }
}
