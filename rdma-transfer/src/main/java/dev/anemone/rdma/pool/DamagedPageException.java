// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool;

import java.io.IOException;

/** A page's bytes are not those that were written, though its object is still there. */
public final class DamagedPageException extends IOException {

  private static final long serialVersionUID = 1;

  /** With a sentence that says which object, page and server. */
  public DamagedPageException(String message) {
    super(message);
  }
}
