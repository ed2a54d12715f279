// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.handler;

import java.io.IOException;
import java.net.ConnectException;

/** A node cannot hand out a block now, and perhaps can soon. */
final class TransientFailureException extends IOException {

  private static final long serialVersionUID = 1L;

  private final boolean answered;

  /** What a node says. */
  static TransientFailureException answer(String message) {
    return new TransientFailureException(message, true, null);
  }

  /** A connection that cannot be made or used. */
  TransientFailureException(String message, IOException cause) {
    // A refusal comes from the node; a connection that is cut may be so by what is between.
    this(message, cause instanceof ConnectException, cause);
  }

  TransientFailureException(String message) {
    this(message, false, null);
  }

  private TransientFailureException(String message, boolean answered, IOException cause) {
    super(message, cause);
    this.answered = answered;
  }

  /** Whether the node has said something, if only that it takes no connection. */
  boolean hasAnswered() {
    return answered;
  }
}
