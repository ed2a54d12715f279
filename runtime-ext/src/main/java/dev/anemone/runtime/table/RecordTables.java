// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.table;

import dev.anemone.runtime.memory.MemoryLedger;
import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.shuffle.write.ShuffleWriter;
import dev.anemone.runtime.spi.RecordTable;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockStore;
import java.io.IOException;
import java.util.Objects;

/** The tables of one job in one JVM. Thread-safe. */
public final class RecordTables {

  /** The least memory that a builder needs. */
  public static final long LEAST_BYTES = ShuffleWriter.LEAST_BYTES + PagePool.PAGE_BYTES;

  private final MemoryLedger.JobMemory memory;
  private final BlockStore store;
  private final long builderBytes;
  private final ChunkCache cache;

  /**
   * No tables.
   *
   * @param memory has pages for every task's builder
   * @param store keeps the tables; whoever has it deletes those that are left when the job ends
   * @param builderBytes bytes of pages that a builder may have when no other job runs
   * @param cacheBytes bytes of the heap for chunks that were read, of all tables together
   */
  public RecordTables(
      MemoryLedger.JobMemory memory, BlockStore store, long builderBytes, long cacheBytes) {
    if (builderBytes < LEAST_BYTES) {
      throw new IllegalArgumentException(
          "a table is sorted in at least " + LEAST_BYTES + " bytes of memory, not " + builderBytes);
    }
    this.memory = Objects.requireNonNull(memory, "memory");
    this.store = Objects.requireNonNull(store, "store");
    this.builderBytes = builderBytes;
    this.cache = new ChunkCache(cacheBytes);
  }

  /**
   * Begins a table.
   *
   * @param id names it; no other block of the store has the same, nor one that begins with it and a
   *     slash
   */
  public RecordTable.Builder begin(BlockId id) throws IOException {
    return new TableBuilder(memory.attempt(LEAST_BYTES, builderBytes), store, id, cache);
  }
}
