// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.format;

import dev.anemone.runtime.spi.DataPlaneFailure;
import dev.anemone.runtime.store.BlockId;
import java.io.IOException;

/**
 * A block does not hold what was written into it; the message says where, and what is wrong. The
 * block has to be made again.
 */
public final class CorruptBlockException extends IOException implements DataPlaneFailure {

  private static final long serialVersionUID = 1L;

  private final transient BlockId blockId;

  CorruptBlockException(BlockId blockId, int partition, long offset, String what) {
    this(blockId, partition, offset, what, null);
  }

  /**
   * A block that is corrupt.
   *
   * @param offset where the chunk that is wrong starts, in bytes from the start of the partition
   */
  CorruptBlockException(BlockId blockId, int partition, long offset, String what, Throwable cause) {
    super(
        "block "
            + blockId
            + " is corrupt: the chunk at byte "
            + offset
            + " of partition "
            + partition
            + " "
            + what,
        cause);
    this.blockId = blockId;
  }

  /** The block; null after serialisation. */
  public BlockId blockId() {
    return blockId;
  }
}
