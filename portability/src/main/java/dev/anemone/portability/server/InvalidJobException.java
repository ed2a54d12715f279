// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.server;

/** A job cannot be prepared or run as its program wants it; the message says what to do. */
final class InvalidJobException extends IllegalArgumentException {

  private static final long serialVersionUID = 1;

  InvalidJobException(String message) {
    super(message);
  }
}
