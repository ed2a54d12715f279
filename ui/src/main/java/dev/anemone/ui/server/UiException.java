// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ui.server;

/** The page cannot be served as somebody has asked; the message says what would be right. */
public final class UiException extends IllegalArgumentException {

  private static final long serialVersionUID = 1;

  UiException(String message) {
    super(message);
  }

  UiException(String message, Throwable cause) {
    super(message, cause);
  }
}
