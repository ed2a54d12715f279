// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cli;

/** The command itself is wrong, not an option of the program that it runs. */
public final class WrongUsageException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  /**
   * An error.
   *
   * @param message what is wrong, and what would be right
   */
  public WrongUsageException(String message) {
    super(message);
  }
}
