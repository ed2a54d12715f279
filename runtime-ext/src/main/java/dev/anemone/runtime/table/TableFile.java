// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.table;

import dev.anemone.runtime.resource.CloseAll;
import dev.anemone.runtime.shuffle.format.ChunkLoader;
import dev.anemone.runtime.shuffle.format.ChunkRecords;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockReader;
import dev.anemone.runtime.store.BlockStore;
import dev.anemone.runtime.store.ReadStatistics;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The block of a table, read by many threads. Each read has an open file of its own, since a thread
 * that is interrupted closes the file that it reads; as many are kept open as threads have read at
 * one time. Thread-safe.
 */
final class TableFile implements Closeable {

  private final BlockStore store;
  private final BlockId id;
  private final Queue<OpenFile> idle = new ConcurrentLinkedQueue<>();
  private volatile boolean closed;

  /** What one read uses. */
  private record OpenFile(BlockReader block, ChunkLoader loader) {}

  TableFile(BlockStore store, BlockId id) {
    this.store = store;
    this.id = id;
  }

  /**
   * Reads a chunk.
   *
   * @param offset where it starts
   * @param length its length with the header
   */
  ChunkRecords load(long offset, int length) throws IOException {
    if (closed) {
      throw new IllegalStateException("the table " + id + " is closed");
    }
    OpenFile file = idle.poll();
    if (file == null) {
      file = new OpenFile(store.open(id, new ReadStatistics()), new ChunkLoader());
    }
    boolean usable = false;
    try {
      ChunkRecords records = file.loader().load(file.block(), 0, offset, length);
      usable = true;
      return records;
    } finally {
      if (usable) {
        idle.add(file);
      } else {
        file.block().close();
      }
      if (closed) {
        closeIdle();
      }
    }
  }

  private void closeIdle() throws IOException {
    CloseAll.of(drained());
  }

  private List<BlockReader> drained() {
    List<BlockReader> drained = new ArrayList<>();
    for (OpenFile file = idle.poll(); file != null; file = idle.poll()) {
      drained.add(file.block());
    }
    return drained;
  }

  /** Deletes the block. */
  @Override
  public void close() throws IOException {
    closed = true;
    try {
      closeIdle();
    } finally {
      store.delete(id);
    }
  }
}
