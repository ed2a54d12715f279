// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store;

import dev.anemone.runtime.spi.DataPlaneFailure;
import java.io.IOException;

/**
 * What a producer has written into a block cannot be read: the block is gone, or damaged. Whoever
 * made it has to make it again.
 */
public abstract class UnreadableBlockException extends IOException implements DataPlaneFailure {

  private static final long serialVersionUID = 1L;

  private final transient BlockId blockId;

  /** Says which block, and what is wrong with it. */
  protected UnreadableBlockException(BlockId blockId, String message, Throwable cause) {
    super(message, cause);
    this.blockId = blockId;
  }

  /** The block; null after serialisation. */
  public BlockId blockId() {
    return blockId;
  }
}
