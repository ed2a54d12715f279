// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.engine;

/**
 * A job that cannot run; the message says which vertex or edge is at fault and what would be right.
 */
public class InvalidJobException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public InvalidJobException(String message) {
    super(message);
  }

  public InvalidJobException(String message, Throwable cause) {
    super(message, cause);
  }
}
