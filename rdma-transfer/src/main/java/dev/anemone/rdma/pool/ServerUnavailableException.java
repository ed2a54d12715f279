// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool;

import java.io.IOException;

/** A pool server cannot be reached, has gone, or did not answer in time. */
public final class ServerUnavailableException extends IOException {

  private static final long serialVersionUID = 1;

  /** With a sentence that names the server; the cause can be null. */
  public ServerUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}
