// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool;

import java.io.IOException;

/** The object was deleted while it was read. What was read before is right. */
public final class ObjectDeletedException extends IOException {

  private static final long serialVersionUID = 1;

  /** With a sentence that says which object. */
  public ObjectDeletedException(String message) {
    super(message);
  }
}
