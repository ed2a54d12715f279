// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.format;

import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.UnreadableBlockException;

/**
 * A block does not hold what was written into it; the message says where, and what is wrong. The
 * block has to be made again.
 */
public final class CorruptBlockException extends UnreadableBlockException {

  private static final long serialVersionUID = 1L;

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
        blockId,
        "block "
            + blockId
            + " is corrupt: the chunk at byte "
            + offset
            + " of partition "
            + partition
            + " "
            + what,
        cause);
  }
}
