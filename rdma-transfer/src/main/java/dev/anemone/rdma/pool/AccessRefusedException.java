// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool;

import java.io.IOException;

/** The other side does not have the pool's token, or belongs to another pool. */
public final class AccessRefusedException extends IOException {

  private static final long serialVersionUID = 1;

  /** With a sentence that says which server, and what is wrong. */
  public AccessRefusedException(String message) {
    super(message);
  }
}
