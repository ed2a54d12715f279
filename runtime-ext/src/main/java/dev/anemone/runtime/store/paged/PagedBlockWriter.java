// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store.paged;

import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockIndex;
import dev.anemone.runtime.store.BlockTable;
import dev.anemone.runtime.store.BlockWriter;
import dev.anemone.runtime.store.PartitionLengths;
import dev.anemone.runtime.store.RevocableBlockWriter;
import dev.anemone.runtime.store.WriteOrder;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Writes a block to pages, and when there are none left, moves it to the overflow and goes on
 * there. Subclasses are called by one thread at a time.
 */
public abstract class PagedBlockWriter extends RevocableBlockWriter {

  private final PagedStore store;
  private final WriteOrder order;
  private ExtentLists extents;
  private BlockWriter overflow;

  protected PagedBlockWriter(PagedStore store, BlockId id, int partitions, WriteOrder order) {
    super(id, new PartitionLengths(id, partitions, order));
    this.store = store;
    this.order = order;
    this.extents = new ExtentLists(partitions);
  }

  @Override
  protected final void write(int partition, ByteBuffer bytes, long rawBytes) throws IOException {
    long rawToAdd = rawBytes;
    if (overflow == null && !appendToPages(partition, bytes, extents)) {
      moveToOverflow();
      rawToAdd = 0;
    }
    if (overflow != null) {
      overflow.append(partition, bytes, rawToAdd);
    }
  }

  /**
   * Appends to pages.
   *
   * @param written gets the pieces of pages that were taken
   * @return whether there was room for all of the bytes; if not, some are still in the buffer
   */
  protected abstract boolean appendToPages(int partition, ByteBuffer bytes, ExtentLists written);

  /** A page by its number in the block. */
  protected abstract ByteBuffer page(int number);

  /**
   * Makes a block of the pages, which are the block's from then on. After a failure they are still
   * the writer's.
   *
   * @return null when there is not enough room for that
   */
  protected abstract PagedBlock seal(BlockTable index, ExtentTable extents) throws IOException;

  /** Gives back the pages that the writer has; there may be none. */
  protected abstract void releasePages() throws IOException;

  /** Raw lengths go with it as they were counted, those of the append in progress included. */
  private void moveToOverflow() throws IOException {
    overflow = store.overflow().create(id(), lengths().partitions(), order);
    ExtentTable written = extents.freeze();
    for (int p = 0; p < lengths().partitions(); p++) {
      if (lengths().raw(p) > 0) {
        overflow.append(p, ByteBuffer.allocate(0), lengths().raw(p));
      }
      for (int i = 0; i < written.pieces(p); i++) {
        overflow.append(p, written.piece(this::page, p, i), 0);
      }
    }
    extents = null;
    releasePages();
  }

  @Override
  protected final BlockIndex publish() throws IOException {
    return overflow == null ? commitToPages() : commitToOverflow();
  }

  private BlockIndex commitToPages() throws IOException {
    PagedBlock block = seal(lengths().packed(), extents.freeze());
    if (block == null) {
      moveToOverflow();
      return commitToOverflow();
    }
    store.publish(this, block);
    return block.index();
  }

  private BlockIndex commitToOverflow() throws IOException {
    BlockIndex index = overflow.commit();
    store.publishOverflowed(this, index.storedBytes());
    return index;
  }

  @Override
  protected final void discard() throws IOException {
    extents = null;
    store.withdraw(this);
    try (BlockWriter elsewhere = overflow) {
      releasePages();
    }
  }
}
