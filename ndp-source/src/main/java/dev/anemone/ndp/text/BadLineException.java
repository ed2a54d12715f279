// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.text;

/** A line that is no row of its table. */
public final class BadLineException extends Exception {

  private static final long serialVersionUID = 1;

  private final long line;

  BadLineException(long line, String what, Throwable cause) {
    super(what, cause);
    this.line = line;
  }

  /** Which line of those that were read, the first being 1. */
  public long line() {
    return line;
  }
}
