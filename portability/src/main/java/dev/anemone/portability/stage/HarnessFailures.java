// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.stage;

/** Takes the wrappings off what a harness reports, so that the user's traceback is the cause. */
final class HarnessFailures {

  /** What Beam puts before the words of a harness. */
  private static final String REPORTED = "Error received from SDK harness";

  private HarnessFailures() {}

  /** The innermost cause, which has the harness's own words; an error is thrown at once. */
  static Exception causeOf(Exception failure) {
    Throwable cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    if (cause instanceof Error error) {
      throw error;
    }
    return (Exception) cause;
  }

  /** Whether a harness has reported this. */
  static boolean isOfUserCode(Exception cause) {
    return cause.getMessage() != null && cause.getMessage().startsWith(REPORTED);
  }
}
