// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab;

/** An experiment cannot be done. The message says why, and what would help, in one paragraph. */
public final class ExperimentFailure extends RuntimeException {
  private static final long serialVersionUID = 1;

  public ExperimentFailure(String message) {
    super(message);
  }

  public ExperimentFailure(String message, Throwable cause) {
    super(message, cause);
  }
}
