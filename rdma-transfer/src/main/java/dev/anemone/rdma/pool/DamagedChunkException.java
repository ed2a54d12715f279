// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool;

import java.io.IOException;

/** A chunk's bytes are not those that were written, though its object is still there. */
public final class DamagedChunkException extends IOException {

  private static final long serialVersionUID = 1;

  /** With a sentence that says which object, chunk and server. */
  public DamagedChunkException(String message) {
    super(message);
  }
}
