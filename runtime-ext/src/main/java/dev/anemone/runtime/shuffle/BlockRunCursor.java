package dev.anemone.runtime.shuffle;

import dev.anemone.runtime.memory.TaskMemory;
import dev.anemone.runtime.store.BlockReader;
import java.io.IOException;
import java.util.function.Predicate;

/**
 * Streams a partition of a block, as one run, through one page. Where the partition is not one
 * sorted run, its records come as they were written.
 */
final class BlockRunCursor extends ChunkCursor {

  private final BlockReader block;
  private final Predicate<Producer> dropped;
  private final ChunkStream chunks;

  /**
   * A cursor before the first record.
   *
   * @param block belongs to the cursor from now on, which closes it; when the constructor throws,
   *     it is still the caller's
   * @param memory gives one page, which goes back on {@link #close}
   * @throws dev.anemone.runtime.memory.MemoryExhaustedException when it has none
   */
  BlockRunCursor(BlockReader block, int partition, TaskMemory memory) throws InterruptedException {
    this(block, partition, memory, producer -> false);
  }

  /**
   * A cursor that leaves out chunks of some producers.
   *
   * @see #BlockRunCursor(BlockReader, int, TaskMemory)
   */
  BlockRunCursor(BlockReader block, int partition, TaskMemory memory, Predicate<Producer> dropped)
      throws InterruptedException {
    this.block = block;
    this.dropped = dropped;
    this.chunks = new ChunkStream(memory);
    chunks.open(block, partition, 0);
  }

  @Override
  boolean nextChunk() throws IOException {
    do {
      if (!chunks.next()) {
        return false;
      }
    } while (dropped.test(chunks.producer()));
    chunks.decode();
    records(chunks.records(), chunks.recordsStart(), chunks.recordsLength());
    return true;
  }

  @Override
  CorruptBlockException corrupt(String what) {
    return chunks.corrupt(what);
  }

  @Override
  public void close() throws IOException {
    chunks.close();
    block.close();
  }
}
