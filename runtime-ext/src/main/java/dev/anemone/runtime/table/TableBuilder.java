// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.table;

import dev.anemone.runtime.memory.TaskMemory;
import dev.anemone.runtime.record.ByteSink;
import dev.anemone.runtime.shuffle.format.ChunkLoader;
import dev.anemone.runtime.shuffle.format.ChunkSplitter;
import dev.anemone.runtime.shuffle.format.Codec;
import dev.anemone.runtime.shuffle.format.Producer;
import dev.anemone.runtime.shuffle.merge.WriteStatistics;
import dev.anemone.runtime.shuffle.merge.WriterSettings;
import dev.anemone.runtime.shuffle.write.ShuffleWriter;
import dev.anemone.runtime.spi.RecordTable;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockStore;
import dev.anemone.runtime.store.BlockWriter;
import dev.anemone.runtime.store.WriteOrder;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/**
 * Sorts records with a {@link ShuffleWriter} into a block of one partition, and indexes its chunks
 * on their way to the block. Used by one thread.
 */
final class TableBuilder implements RecordTable.Builder {

  private static final WriterSettings SETTINGS =
      new WriterSettings(1, true, Codec.LZ4, new Producer(0, 0), null);

  private final TaskMemory memory;
  private final BlockStore store;
  private final BlockId id;
  private final ChunkCache cache;
  private final BlockWriter block;
  private final ShuffleWriter writer;
  private final SparseIndex.Builder index = new SparseIndex.Builder();
  private final ByteSink key = new ByteSink();
  private final ByteSink value = new ByteSink();

  /**
   * An empty builder.
   *
   * @param memory is closed with the builder
   * @param store keeps the table and what is spilled before
   * @param id names the table in the store
   * @param cache is handed on to the table
   */
  TableBuilder(TaskMemory memory, BlockStore store, BlockId id, ChunkCache cache)
      throws IOException {
    this.memory = memory;
    this.store = store;
    this.id = id;
    this.cache = cache;
    this.block = store.create(id, 1, WriteOrder.BY_PARTITION);
    this.writer =
        ShuffleWriter.toBlock(
            SETTINGS,
            memory,
            store,
            id,
            new IndexingWriter(block, new ChunkSplitter(new Indexer())),
            new WriteStatistics());
  }

  @Override
  public OutputStream key() {
    return key;
  }

  @Override
  public OutputStream value() {
    return value;
  }

  @Override
  public void emit() throws IOException {
    try {
      writer.write(0, key.array(), key.length(), value.array(), value.length());
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
    key.reset();
    value.reset();
  }

  @Override
  public RecordTable build() throws IOException {
    try {
      writer.finish();
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
    block.commit();
    return new SortedTable(new TableFile(store, id), index.build(), cache);
  }

  private InterruptedIOException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    InterruptedIOException carrier =
        new InterruptedIOException("the thread was interrupted while it wrote the table " + id);
    carrier.initCause(e);
    return carrier;
  }

  @Override
  public void close() throws IOException {
    try (TaskMemory closedLast = memory;
        BlockWriter closedSecond = block) {
      writer.close();
    }
  }

  private final class Indexer implements ChunkSplitter.Target {

    private final ChunkLoader loader = new ChunkLoader();

    @Override
    public void chunk(ByteBuffer buffer, int start, long offset, int length) throws IOException {
      index.add(loader.decode(id, 0, buffer, start, offset, length), length);
    }
  }
}
