package dev.anemone.runtime.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes a block to pages, and when there are none left, moves it to the overflow and goes on
 * there. Its methods exclude each other because the store revokes a writer that was abandoned.
 */
final class MemoryBlockWriter implements BlockWriter {

  private final MemoryStore store;
  private final SharedPages memory;
  private final BlockId id;
  private final WriteOrder order;
  private final PartitionLengths lengths;
  private final List<SharedPage> pages = new ArrayList<>();
  private ExtentLists extents;
  private BlockWriter overflow;
  private boolean ended;
  private boolean revoked;
  private Exception failure;

  MemoryBlockWriter(
      MemoryStore store, SharedPages memory, BlockId id, int partitions, WriteOrder order) {
    this.store = store;
    this.memory = memory;
    this.id = id;
    this.order = order;
    this.lengths = new PartitionLengths(id, partitions, order);
    this.extents = new ExtentLists(partitions);
  }

  BlockId id() {
    return id;
  }

  @Override
  public synchronized void append(int partition, ByteBuffer bytes, long rawBytes)
      throws IOException {
    requireOpen();
    lengths.add(partition, bytes.remaining(), rawBytes);
    try {
      long rawToAdd = rawBytes;
      if (overflow == null && !appendToPages(partition, bytes)) {
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

  /** Whether there was room for all of the bytes; if not, some are still in the buffer. */
  private boolean appendToPages(int partition, ByteBuffer bytes) {
    while (bytes.hasRemaining()) {
      if (pages.isEmpty() || lastPage().room() == 0) {
        SharedPage page = memory.take();
        if (page == null) {
          return false;
        }
        pages.add(page);
      }
      int offset = lastPage().used();
      int length = lastPage().append(bytes);
      extents.add(partition, pages.size() - 1, offset, length);
    }
    return true;
  }

  private SharedPage lastPage() {
    return pages.get(pages.size() - 1);
  }

  /** Raw lengths go with it as they were counted, those of the append in progress included. */
  private void moveToOverflow() throws IOException {
    overflow = store.overflow().create(id, lengths.partitions(), order);
    ExtentTable written = extents.freeze();
    for (int p = 0; p < lengths.partitions(); p++) {
      if (lengths.raw(p) > 0) {
        overflow.append(p, ByteBuffer.allocate(0), lengths.raw(p));
      }
      for (int i = 0; i < written.pieces(p); i++) {
        overflow.append(p, written.piece(pages, p, i), 0);
      }
    }
    releasePages();
  }

  @Override
  public synchronized BlockIndex commit() throws IOException {
    requireOpen();
    try {
      BlockIndex index = overflow == null ? commitToMemory() : commitToOverflow();
      ended = true;
      return index;
    } catch (IOException | RuntimeException e) {
      fail(e);
      throw e;
    }
  }

  private BlockIndex commitToMemory() {
    BlockTable index = lengths.packed();
    MemoryBlock block = new MemoryBlock(id, index, extents.freeze(), pages, memory);
    if (!pages.isEmpty()) {
      // Before others see the block: its pages may be free again as soon as they do.
      memory.share(lastPage());
    }
    store.publish(this, block);
    return index;
  }

  private BlockIndex commitToOverflow() throws IOException {
    BlockIndex index = overflow.commit();
    store.publishOverflowed(this, index.storedBytes());
    return index;
  }

  @Override
  public synchronized void close() throws IOException {
    if (!ended) {
      ended = true;
      store.withdraw(this);
      releasePages();
      if (overflow != null) {
        overflow.close();
      }
    }
  }

  /** Ends a writer whose block was deleted or begun again. */
  synchronized void revoke() throws IOException {
    if (!ended) {
      revoked = true;
      close();
    }
  }

  private void releasePages() {
    memory.takeBack(pages);
    pages.clear();
    extents = null;
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
