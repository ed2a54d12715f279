// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.protocol;

import java.io.IOException;

/** A server refused a request for a reason that has no exception of its own. */
public final class RefusedException extends IOException {

  private static final long serialVersionUID = 1;

  private final Refusal reason;

  /** With a sentence. */
  public RefusedException(Refusal reason, String message) {
    super(message);
    this.reason = reason;
  }

  /** Why. */
  public Refusal reason() {
    return reason;
  }
}
