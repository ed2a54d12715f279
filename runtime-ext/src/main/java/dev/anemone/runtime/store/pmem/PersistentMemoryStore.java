// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store.pmem;

import dev.anemone.rdma.pmem.PersistentMemory;
import dev.anemone.rdma.pmem.PersistentMemoryFile;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockReader;
import dev.anemone.runtime.store.BlockStore;
import dev.anemone.runtime.store.BlockWriter;
import dev.anemone.runtime.store.ReadStatistics;
import dev.anemone.runtime.store.WriteOrder;
import dev.anemone.runtime.store.paged.PagedBlockWriter;
import dev.anemone.runtime.store.paged.PagedStore;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Keeps blocks in a persistent memory: a committed block is there after any crash, of the process
 * or of the machine, and one that was not committed is not. When the memory is full, the block that
 * is being written goes to another store, with what it has already; what survives there is that
 * store's matter.
 *
 * <p>The memory is divided into pages of one size, and a block has its pages for itself: small
 * blocks take a page each. A block's bytes lie in the order in which they were appended; its header
 * has their places, its index and the CRC32C of each page's bytes, and begins behind them. Each
 * step below is durable before the next one begins:
 *
 * <ol>
 *   <li>the bytes, wherever pages were free;
 *   <li>the header, and the next words of the pages that hold it;
 *   <li>the commit word, 8 aligned bytes, which are never torn: length and CRC32C of the header.
 * </ol>
 *
 * To delete a block is to make its commit word 0; only when that is durable, and no reader has the
 * block any more, its pages are free. Which pages are free is not written down: it follows from the
 * headers when the memory is opened. So no allocation can leak, and there is no log. The rules are
 * those of persistent memory programming; PMDK's libpmemobj, whose transactions and allocator keep
 * logs for the general case, is the known relative.
 *
 * <p>Opening reads all blocks. One whose header or bytes are not what their checksums say was torn
 * by a device that did not keep its promise; it is dropped.
 *
 * <p>Reads are not counted in {@link ReadStatistics}: no disk has a part in them. Thread-safe.
 */
public final class PersistentMemoryStore extends PagedStore implements Closeable {

  /** A size of pages, in bytes, that suits blocks of shuffles. */
  public static final int DEFAULT_PAGE_BYTES = 64 << 10;

  private final PersistentPages memory;
  private final FreePersistentPages free;

  private PersistentMemoryStore(PersistentPages memory, PageRecovery found, BlockStore overflow) {
    super(overflow, found.blocks());
    this.memory = memory;
    this.free = found.free();
  }

  /**
   * Opens the blocks of a persistent memory, or begins with none when it is new.
   *
   * @param memory closed by the store, also when this fails
   * @param pageBytes a power of two, at least 4096; the same each time
   * @param overflow for blocks that find no pages, by the same ids
   * @throws IllegalArgumentException when the memory cannot be divided into such pages
   * @throws IOException when it holds something else, was made by another version, or with pages of
   *     another size
   */
  public static PersistentMemoryStore open(
      PersistentMemory memory, int pageBytes, BlockStore overflow) throws IOException {
    try {
      PersistentPages pages = PersistentPages.open(memory, pageBytes);
      return new PersistentMemoryStore(pages, PageRecovery.scan(pages), overflow);
    } catch (IOException | RuntimeException | Error e) {
      try (memory) {
        throw e;
      }
    }
  }

  /**
   * Opens the blocks of a file, which is made when it is not there.
   *
   * @param bytes size of the file
   * @throws IOException also as {@link PersistentMemoryFile#open} does
   */
  public static PersistentMemoryStore open(
      Path file, long bytes, int pageBytes, BlockStore overflow) throws IOException {
    return open(PersistentMemoryFile.open(file, bytes), pageBytes, overflow);
  }

  @Override
  protected PagedBlockWriter newWriter(BlockId id, int partitions, WriteOrder order) {
    return new PersistentBlockWriter(this, memory, free, id, partitions, order);
  }

  @Override
  public BlockWriter create(BlockId id, int partitions, WriteOrder order) throws IOException {
    BlockWriter writer = super.create(id, partitions, order);
    try {
      // Here, since a writer that is known now is revoked by a close that comes later.
      memory.requireOpen();
      // A block that an earlier process left there would be found until this one is committed.
      overflow().delete(id);
      return writer;
    } catch (IOException | RuntimeException e) {
      try (writer) {
        throw e;
      }
    }
  }

  @Override
  public BlockReader open(BlockId id, ReadStatistics statistics) throws IOException {
    memory.requireOpen();
    return super.open(id, statistics);
  }

  @Override
  public void delete(BlockId id) throws IOException {
    memory.requireOpen();
    super.delete(id);
    overflow().delete(id);
  }

  /** Bytes of the pages that no block has. */
  public long freeBytes() {
    return (long) free.count() * memory.geometry().pageBytes();
  }

  /** Bytes of all pages. */
  public long capacityBytes() {
    return (long) memory.geometry().pages() * memory.geometry().pageBytes();
  }

  /**
   * Closes the memory; committed blocks stay in it. Writers fail from then on, and so do readers,
   * since another process may write to the pages.
   */
  @Override
  public void close() throws IOException {
    memory.beginClose();
    try (memory) {
      revokeWriters();
    }
  }
}
