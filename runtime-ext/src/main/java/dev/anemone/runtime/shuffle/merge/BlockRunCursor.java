// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.merge;

import dev.anemone.ir.partition.HashRange;
import dev.anemone.runtime.memory.TaskMemory;
import dev.anemone.runtime.shuffle.format.ChunkCursor;
import dev.anemone.runtime.shuffle.format.ChunkStream;
import dev.anemone.runtime.shuffle.format.CorruptBlockException;
import dev.anemone.runtime.shuffle.format.FilledPartitions;
import dev.anemone.runtime.shuffle.format.PartitionedRun;
import dev.anemone.runtime.shuffle.format.RunFilter;
import dev.anemone.runtime.store.BlockReader;
import java.io.IOException;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Streams partitions of a block, each as one run, through one page. Where a partition is not one
 * sorted run, its records come as they were written.
 */
public final class BlockRunCursor extends ChunkCursor implements PartitionedRun {

  private final BlockReader block;
  private final FilledPartitions partitions;
  private final RunFilter filter;
  private final LongConsumer counter;
  private final ChunkStream chunks;

  /**
   * A cursor over one partition, all of it.
   *
   * @see #BlockRunCursor(BlockReader, List, TaskMemory, RunFilter, LongConsumer)
   */
  public BlockRunCursor(BlockReader block, int partition, TaskMemory memory)
      throws InterruptedException {
    this(
        block,
        List.of(new HashRange(partition, partition + 1)),
        memory,
        RunFilter.NOTHING,
        rawBytes -> {});
  }

  /**
   * A cursor before the first partition.
   *
   * @param block belongs to the cursor from now on, which closes it; when the constructor throws,
   *     it is still the caller's
   * @param ranges the partitions, ascending
   * @param memory gives one page, which goes back on {@link #close}
   * @param filter tells the chunks that are left out
   * @param counter is told the bytes of every other chunk before compression
   * @throws dev.anemone.runtime.memory.MemoryExhaustedException when there is no page
   */
  public BlockRunCursor(
      BlockReader block,
      List<HashRange> ranges,
      TaskMemory memory,
      RunFilter filter,
      LongConsumer counter)
      throws InterruptedException {
    this.block = block;
    this.partitions = new FilledPartitions(block.index(), ranges);
    this.filter = filter;
    this.counter = counter;
    this.chunks = new ChunkStream(memory);
  }

  @Override
  public boolean nextPartition() {
    boolean found = partitions.next();
    if (found) {
      chunks.open(block, partitions.partition(), 0);
    }
    return found;
  }

  @Override
  public int partition() {
    return partitions.partition();
  }

  @Override
  protected boolean nextChunk() throws IOException {
    do {
      if (!chunks.next()) {
        return false;
      }
    } while (filter.skips(partition(), chunks.producer()));
    chunks.decode();
    counter.accept(chunks.recordsLength());
    records(chunks.records(), chunks.recordsStart(), chunks.recordsLength());
    return true;
  }

  @Override
  protected boolean isContinued() {
    return chunks.isContinued();
  }

  @Override
  protected CorruptBlockException corrupt(String what) {
    return chunks.corrupt(what);
  }

  @Override
  public void close() throws IOException {
    chunks.close();
    block.close();
  }
}
