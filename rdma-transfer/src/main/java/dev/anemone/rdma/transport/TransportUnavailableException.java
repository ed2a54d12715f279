// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.transport;

import java.io.IOException;

/** A transport cannot work on this machine. The message is a sentence for the user. */
public final class TransportUnavailableException extends IOException {

  private static final long serialVersionUID = 1;

  /** With the cause, where there is one; otherwise null. */
  public TransportUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}
