// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab;

import java.util.Locale;

/** An experiment cannot be done. The message says why, and what would help, in one paragraph. */
public final class ExperimentFailure extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** A failure with a message in the form of {@link java.util.Formatter}. */
  public ExperimentFailure(String pattern, Object... values) {
    super(String.format(Locale.ROOT, pattern, values));
  }

  public ExperimentFailure(Throwable cause, String pattern, Object... values) {
    super(String.format(Locale.ROOT, pattern, values), cause);
  }
}
