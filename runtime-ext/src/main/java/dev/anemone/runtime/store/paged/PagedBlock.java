// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store.paged;

import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockTable;
import dev.anemone.runtime.store.HeldBlock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.IntFunction;

/**
 * A committed block in pages. The store and every open reader hold it; its pages are free again
 * when the last of them has let it go. Thread-safe.
 */
public abstract class PagedBlock implements HeldBlock {

  private final BlockId id;
  private final BlockTable index;
  private final ExtentTable extents;
  private final IntFunction<ByteBuffer> pages;
  private int holders = 1;

  /**
   * A block that its maker holds.
   *
   * @param pages gives a page by its number in the block; many threads read from it
   */
  protected PagedBlock(
      BlockId id, BlockTable index, ExtentTable extents, IntFunction<ByteBuffer> pages) {
    this.id = id;
    this.index = index;
    this.extents = extents;
    this.pages = pages;
  }

  @Override
  public final BlockId id() {
    return id;
  }

  @Override
  public final BlockTable index() {
    return index;
  }

  /** Copies bytes of a partition; for holders only. */
  @Override
  public void read(int partition, long position, int length, ByteBuffer target) throws IOException {
    extents.copy(pages, partition, position, length, target);
  }

  /**
   * Makes what outlives this process forget the block. Called by the store once, before it lets the
   * block go; readers go on reading.
   *
   * @throws IOException when that is not certain; the pages must then stay as they are
   */
  protected abstract void withdraw() throws IOException;

  /** Gives the pages back. */
  protected abstract void free();

  /** Holds the block once more; false when nobody held it any more, so that it is gone. */
  final synchronized boolean hold() {
    if (holders == 0) {
      return false;
    }
    holders++;
    return true;
  }

  @Override
  public final synchronized void release() {
    holders--;
    if (holders == 0) {
      free();
    }
  }
}
