// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer.fetch;

import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockStore;
import java.util.BitSet;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/** Where the copies of blocks of other nodes are kept, until they are read. Thread-safe. */
public final class BlockCopies {

  private final BlockStore scratch;
  private final String prefix = "fetched-" + UUID.randomUUID() + "-";
  private final AtomicLong number = new AtomicLong();

  /**
   * No copies.
   *
   * @param scratch takes them, each below the path of its original
   */
  public BlockCopies(BlockStore scratch) {
    this.scratch = scratch;
  }

  /**
   * A copy of which nothing is here; another one for each call.
   *
   * @param wanted the partitions to copy; must not be modified
   * @throws IllegalArgumentException when nothing is wanted
   */
  public CopiedBlock begin(BlockId id, BitSet wanted) {
    return new CopiedBlock(
        id, wanted, scratch, new BlockId(id.path() + "/" + prefix + number.getAndIncrement()));
  }
}
