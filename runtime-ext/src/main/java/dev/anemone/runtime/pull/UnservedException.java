// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.pull;

import java.io.IOException;

/** A block does not come from the server of its node; the node's shuffle handler may have it. */
final class UnservedException extends IOException {

  private static final long serialVersionUID = 1L;

  private final boolean ofBlock;

  /** Says what is wrong with the server, or the way to it. */
  UnservedException(String message) {
    this(message, null, false);
  }

  /** Says what is wrong with the server, or the way to it. */
  UnservedException(String message, Throwable cause) {
    this(message, cause, false);
  }

  private UnservedException(String message, Throwable cause, boolean ofBlock) {
    super(message, cause);
    this.ofBlock = ofBlock;
  }

  /** Says why the server does not have the block, or cannot be asked for it. */
  static UnservedException block(String message) {
    return new UnservedException(message, null, true);
  }

  /** Whether it says nothing of other blocks. */
  boolean isOfBlock() {
    return ofBlock;
  }
}
