package dev.anemone.runtime.store;

import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.memory.TaskMemory;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * Keeps blocks in off-heap pages. Partitions of a block, and small blocks, share pages. When memory
 * is used up, the block that is being written goes to another store, with what it has already; a
 * committed block stays where it is. Memory is free again when a block is deleted and its readers
 * are closed. Reads from pages are not counted in {@link ReadStatistics}: no disk has a part in
 * them. Thread-safe.
 */
public final class MemoryStore implements BlockStore {

  private final SharedPages pages;
  private final BlockStore overflow;
  private final Map<BlockId, MemoryBlockWriter> writing = new ConcurrentHashMap<>();
  private final Map<BlockId, MemoryBlock> blocks = new ConcurrentHashMap<>();
  private final Map<BlockId, Long> overflowed = new ConcurrentHashMap<>();
  private final AtomicLong usedBytes = new AtomicLong();

  /**
   * An empty store.
   *
   * @param pool where pages come from; others may use it too
   * @param capacityBytes bytes that pages of this store may take, at least one page
   * @param overflow for blocks that find no memory, by the same ids
   */
  public MemoryStore(PagePool pool, long capacityBytes, BlockStore overflow) {
    this.pages = new SharedPages(new TaskMemory(pool, capacityBytes));
    this.overflow = overflow;
  }

  /**
   * Begins a block.
   *
   * @throws IllegalArgumentException when there are no partitions
   */
  @Override
  public BlockWriter create(BlockId id, int partitions, WriteOrder order) throws IOException {
    MemoryBlockWriter writer = new MemoryBlockWriter(this, pages, id, partitions, order);
    MemoryBlockWriter former = writing.put(id, writer);
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
    MemoryBlock block = blocks.get(id);
    if (block != null && block.hold()) {
      return new MemoryBlockReader(block);
    }
    return overflow.open(id, statistics);
  }

  /** Deletes a block, also one that is being written: its writer fails from then on. */
  @Override
  public void delete(BlockId id) throws IOException {
    MemoryBlockWriter writer = writing.remove(id);
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
  public void deleteAll(String pathPrefix) throws IOException {
    List<BlockId> known =
        Stream.of(writing, blocks, overflowed)
            .flatMap(ids -> ids.keySet().stream())
            .filter(id -> id.path().startsWith(pathPrefix))
            .toList();
    for (BlockId id : known) {
      delete(id);
    }
  }

  /** Bytes of all committed blocks of this store, in memory and in the overflow. */
  @Override
  public long usedBytes() {
    return usedBytes.get();
  }

  BlockStore overflow() {
    return overflow;
  }

  /** Makes a block readable, and holds it. */
  void publish(MemoryBlockWriter writer, MemoryBlock block) {
    usedBytes.addAndGet(block.index().storedBytes());
    blocks.put(block.id(), block);
    writing.remove(block.id(), writer);
  }

  /** Counts a block that was committed in the overflow. */
  void publishOverflowed(MemoryBlockWriter writer, long storedBytes) {
    usedBytes.addAndGet(storedBytes);
    overflowed.put(writer.id(), storedBytes);
    writing.remove(writer.id(), writer);
  }

  /** Forgets a writer that ended without a block. */
  void withdraw(MemoryBlockWriter writer) {
    writing.remove(writer.id(), writer);
  }

  private boolean forgetBlock(BlockId id) {
    MemoryBlock block = blocks.remove(id);
    if (block == null) {
      return false;
    }
    usedBytes.addAndGet(-block.index().storedBytes());
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
