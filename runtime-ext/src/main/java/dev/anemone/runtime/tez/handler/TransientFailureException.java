// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.handler;

import java.io.IOException;

/** A node cannot hand out a block now, and perhaps can soon. */
final class TransientFailureException extends IOException {

  private static final long serialVersionUID = 1L;

  TransientFailureException(String message) {
    super(message);
  }

  TransientFailureException(String message, IOException cause) {
    super(message, cause);
  }
}
