// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.handler;

import java.io.IOException;

/** A node takes connections and sends nothing: it hangs. */
final class SilentNodeException extends IOException {

  private static final long serialVersionUID = 1L;

  SilentNodeException(String message, IOException cause) {
    super(message, cause);
  }
}
