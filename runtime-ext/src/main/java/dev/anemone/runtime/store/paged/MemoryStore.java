// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store.paged;

import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.memory.TaskMemory;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockStore;
import dev.anemone.runtime.store.ReadStatistics;
import dev.anemone.runtime.store.WriteOrder;
import java.util.List;

/**
 * Keeps blocks in off-heap pages. Partitions of a block, and small blocks, share pages. When memory
 * is used up, the block that is being written goes to another store, with what it has already; a
 * committed block stays where it is. Memory is free again when a block is deleted and its readers
 * are closed. Reads from pages are not counted in {@link ReadStatistics}: no disk has a part in
 * them. Thread-safe.
 */
public final class MemoryStore extends PagedStore {

  private final TaskMemory memory;
  private final SharedPages pages;

  /**
   * An empty store.
   *
   * @param pool where pages come from; others may use it too
   * @param capacityBytes bytes that pages of this store may take, at least one page
   * @param overflow for blocks that find no memory, by the same ids
   */
  public MemoryStore(PagePool pool, long capacityBytes, BlockStore overflow) {
    super(overflow, List.of());
    this.memory = new TaskMemory(pool, capacityBytes);
    this.pages = new SharedPages(memory);
  }

  /** Pages of this store may take more from now on; with less than before nothing changes. */
  public void grow(long newCapacityBytes) {
    memory.enlarge(newCapacityBytes);
  }

  @Override
  protected PagedBlockWriter newWriter(BlockId id, int partitions, WriteOrder order) {
    return new MemoryBlockWriter(this, pages, id, partitions, order);
  }
}
