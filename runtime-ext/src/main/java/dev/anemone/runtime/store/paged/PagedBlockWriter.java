// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store.paged;

import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockIndex;
import dev.anemone.runtime.store.BlockTable;
import dev.anemone.runtime.store.BlockWriter;
import dev.anemone.runtime.store.PartitionLengths;
import dev.anemone.runtime.store.WriteOrder;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Writes a block to pages, and when there are none left, moves it to the overflow and goes on
 * there. Its methods exclude each other because the store revokes a writer that was abandoned;
 * subclasses are called by one of them at a time.
 */
public abstract class PagedBlockWriter implements BlockWriter {

  private final PagedStore store;
  private final BlockId id;
  private final WriteOrder order;
  private final PartitionLengths lengths;
  private ExtentLists extents;
  private BlockWriter overflow;
  private boolean ended;
  private boolean revoked;
  private Exception failure;

  protected PagedBlockWriter(PagedStore store, BlockId id, int partitions, WriteOrder order) {
    this.store = store;
    this.id = id;
    this.order = order;
    this.lengths = new PartitionLengths(id, partitions, order);
    this.extents = new ExtentLists(partitions);
  }

  protected final BlockId id() {
    return id;
  }

  @Override
  public final synchronized void append(int partition, ByteBuffer bytes, long rawBytes)
      throws IOException {
    requireOpen();
    lengths.add(partition, bytes.remaining(), rawBytes);
    try {
      long rawToAdd = rawBytes;
      if (overflow == null && !appendToPages(partition, bytes, extents)) {
        moveToOverflow();
        rawToAdd = 0;
      }
      if (overflow != null) {
        overflow.append(partition, bytes, rawToAdd);
      }
    } catch (IOException | RuntimeException e) {
      fail(e);
      throw e;
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
    overflow = store.overflow().create(id, lengths.partitions(), order);
    ExtentTable written = extents.freeze();
    for (int p = 0; p < lengths.partitions(); p++) {
      if (lengths.raw(p) > 0) {
        overflow.append(p, ByteBuffer.allocate(0), lengths.raw(p));
      }
      for (int i = 0; i < written.pieces(p); i++) {
        overflow.append(p, written.piece(this::page, p, i), 0);
      }
    }
    extents = null;
    releasePages();
  }

  @Override
  public final synchronized BlockIndex commit() throws IOException {
    requireOpen();
    try {
      BlockIndex index = overflow == null ? commitToPages() : commitToOverflow();
      ended = true;
      return index;
    } catch (IOException | RuntimeException e) {
      fail(e);
      throw e;
    }
  }

  private BlockIndex commitToPages() throws IOException {
    PagedBlock block = seal(lengths.packed(), extents.freeze());
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
  public final synchronized void close() throws IOException {
    if (!ended) {
      ended = true;
      extents = null;
      store.withdraw(this);
      try (BlockWriter elsewhere = overflow) {
        releasePages();
      }
    }
  }

  /** Ends a writer whose block was deleted or begun again. */
  final synchronized void revoke() throws IOException {
    if (!ended) {
      revoked = true;
      close();
    }
  }

  private void fail(Exception e) {
    failure = e;
    try {
      close();
    } catch (IOException inClose) {
      e.addSuppressed(inClose);
    }
  }

  private void requireOpen() throws IOException {
    if (revoked) {
      throw new IOException(
          "block " + id + " was deleted, or begun again by another writer, while it was written");
    }
    if (failure != null) {
      throw new IllegalStateException("the writer of block " + id + " has failed", failure);
    }
    if (ended) {
      throw new IllegalStateException("block " + id + " is committed or closed already");
    }
  }
}
