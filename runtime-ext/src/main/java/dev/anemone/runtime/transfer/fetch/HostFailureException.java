// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer.fetch;

import dev.anemone.runtime.spi.DataPlaneFailure;
import java.io.IOException;

/**
 * A node does not hand out a block now, and perhaps will soon: it is down, busy or hangs, or cannot
 * be reached from here. It says nothing of the block.
 */
public final class HostFailureException extends IOException implements DataPlaneFailure {

  private static final long serialVersionUID = 1L;

  private final boolean answered;

  /**
   * Says which block of which node, and what happened.
   *
   * @param answered whether the node has said something, if only that it takes no connection, so
   *     that the network between is well
   */
  public HostFailureException(String message, boolean answered, IOException cause) {
    super(message, cause);
    this.answered = answered;
  }

  /** Whether the node has said something. */
  public boolean answered() {
    return answered;
  }
}
