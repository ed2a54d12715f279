// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.job;

/** Stands for an exception that cannot travel: its class, message and stack trace, as they were. */
public final class DescribedFailure extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private DescribedFailure(String message, Throwable cause) {
    super(message, cause);
  }

  static DescribedFailure of(Throwable failure) {
    Throwable cause = failure.getCause();
    DescribedFailure described =
        new DescribedFailure(
            failure.toString(), cause == null || cause == failure ? null : of(cause));
    described.setStackTrace(failure.getStackTrace());
    return described;
  }
}
