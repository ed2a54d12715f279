package dev.anemone.runtime.store;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * A committed block in pages. The store and every open reader hold it; its pages are free again
 * when the last of them has let it go. Thread-safe.
 */
final class MemoryBlock {

  private final BlockId id;
  private final BlockTable index;
  private final ExtentTable extents;
  private final List<SharedPage> pages;
  private final SharedPages owner;
  private int holders = 1;

  /** A block that its maker holds. */
  MemoryBlock(
      BlockId id,
      BlockTable index,
      ExtentTable extents,
      List<SharedPage> pages,
      SharedPages owner) {
    this.id = id;
    this.index = index;
    this.extents = extents;
    this.pages = List.copyOf(pages);
    this.owner = owner;
  }

  BlockId id() {
    return id;
  }

  BlockTable index() {
    return index;
  }

  /** Copies bytes of a partition; for holders only. */
  void read(int partition, long position, int length, ByteBuffer target) {
    extents.copy(pages, partition, position, length, target);
  }

  /** Holds the block once more; false when nobody held it any more, so that it is gone. */
  synchronized boolean hold() {
    if (holders == 0) {
      return false;
    }
    holders++;
    return true;
  }

  /** Lets the block go. */
  synchronized void release() {
    holders--;
    if (holders == 0) {
      owner.release(pages);
    }
  }
}
