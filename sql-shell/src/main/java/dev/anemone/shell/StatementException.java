// SPDX-License-Identifier: Apache-2.0
package dev.anemone.shell;

/** A statement failed, for a reason that its author can understand from the message. */
final class StatementException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  /**
   * An error.
   *
   * @param message what is wrong, where, and what would be right
   * @param cause of it; null if there is none
   */
  StatementException(String message, Throwable cause) {
    super(message, cause);
  }
}
