// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational;

/**
 * A plan, or a part of one, has no meaning: the message says what is wrong, where, and what would
 * be right.
 */
public final class InvalidPlanException extends RuntimeException {

  private static final long serialVersionUID = 1;

  public InvalidPlanException(String message) {
    super(message);
  }

  public InvalidPlanException(String message, Throwable cause) {
    super(message, cause);
  }
}
