// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool;

import java.io.IOException;

/** No server of the pool has a free page. The message has the capacity and the use of each. */
public final class PoolFullException extends IOException {

  private static final long serialVersionUID = 1;

  /** With a sentence that says how full each server is. */
  public PoolFullException(String message) {
    super(message);
  }
}
