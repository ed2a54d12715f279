// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store.paged;

import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockReader;
import dev.anemone.runtime.store.BlockStore;
import dev.anemone.runtime.store.BlockWriter;
import dev.anemone.runtime.store.HeldBlockReader;
import dev.anemone.runtime.store.ReadStatistics;
import dev.anemone.runtime.store.WriteOrder;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * Keeps blocks in pages of some memory, and those that find none in another store, by the same ids.
 * A block that is being written when no page is left moves there with what it has already; a
 * committed block stays where it is. Pages are free again when a block is deleted and its readers
 * are closed. Thread-safe.
 */
public abstract class PagedStore implements BlockStore {

  private final BlockStore overflow;
  private final Map<BlockId, PagedBlockWriter> writing = new ConcurrentHashMap<>();
  private final Map<BlockId, PagedBlock> blocks = new ConcurrentHashMap<>();
  private final Map<BlockId, Long> overflowed = new ConcurrentHashMap<>();
  private final AtomicLong usedBytes = new AtomicLong();

  /**
   * A store.
   *
   * @param found blocks that it has from the beginning
   */
  protected PagedStore(BlockStore overflow, List<PagedBlock> found) {
    this.overflow = overflow;
    for (PagedBlock block : found) {
      blocks.put(block.id(), block);
      usedBytes.addAndGet(block.index().storedBytes());
    }
  }

  /** A writer that has no page yet. */
  protected abstract PagedBlockWriter newWriter(BlockId id, int partitions, WriteOrder order);

  /**
   * Begins a block.
   *
   * @throws IllegalArgumentException when there are no partitions
   */
  @Override
  public BlockWriter create(BlockId id, int partitions, WriteOrder order) throws IOException {
    PagedBlockWriter writer = newWriter(id, partitions, order);
    PagedBlockWriter former = writing.put(id, writer);
    if (former != null) {
      former.revoke();
    }
    if (!forgetBlock(id) && forgetOverflowed(id)) {
      overflow.delete(id);
    }
    return writer;
  }

  @Override
  public BlockReader open(BlockId id, ReadStatistics statistics) throws IOException {
    PagedBlock block = blocks.get(id);
    if (block != null && block.hold()) {
      return new HeldBlockReader(block);
    }
    return overflow.open(id, statistics);
  }

  /** Deletes a block, also one that is being written: its writer fails from then on. */
  @Override
  public void delete(BlockId id) throws IOException {
    PagedBlockWriter writer = writing.remove(id);
    if (writer != null) {
      writer.revoke();
    }
    if (!forgetBlock(id)) {
      forgetOverflowed(id);
      overflow.delete(id);
    }
  }

  /**
   * Deletes all blocks of this store whose paths begin with a string, also those that are being
   * written, and those that lie in the overflow.
   *
   * @param pathPrefix compared by characters; empty for all
   */
  public final void deleteAll(String pathPrefix) throws IOException {
    List<BlockId> known =
        Stream.of(writing, blocks, overflowed)
            .flatMap(ids -> ids.keySet().stream())
            .filter(id -> id.path().startsWith(pathPrefix))
            .toList();
    for (BlockId id : known) {
      delete(id);
    }
  }

  /** Bytes of all committed blocks of this store, in pages and in the overflow. */
  @Override
  public final long usedBytes() {
    return usedBytes.get();
  }

  /** Ends all writers; their blocks are not committed. */
  protected final void revokeWriters() throws IOException {
    for (PagedBlockWriter writer : writing.values()) {
      writer.revoke();
    }
  }

  protected final BlockStore overflow() {
    return overflow;
  }

  /** Makes a block readable, and holds it. */
  final void publish(PagedBlockWriter writer, PagedBlock block) {
    usedBytes.addAndGet(block.index().storedBytes());
    blocks.put(block.id(), block);
    writing.remove(block.id(), writer);
  }

  /** Counts a block that was committed in the overflow. */
  final void publishOverflowed(PagedBlockWriter writer, long storedBytes) {
    usedBytes.addAndGet(storedBytes);
    overflowed.put(writer.id(), storedBytes);
    writing.remove(writer.id(), writer);
  }

  /** Forgets a writer that ended without a block. */
  final void withdraw(PagedBlockWriter writer) {
    writing.remove(writer.id(), writer);
  }

  private boolean forgetBlock(BlockId id) throws IOException {
    PagedBlock block = blocks.remove(id);
    if (block == null) {
      return false;
    }
    usedBytes.addAndGet(-block.index().storedBytes());
    block.withdraw();
    block.release();
    return true;
  }

  private boolean forgetOverflowed(BlockId id) {
    Long bytes = overflowed.remove(id);
    if (bytes == null) {
      return false;
    }
    usedBytes.addAndGet(-bytes);
    return true;
  }
}
