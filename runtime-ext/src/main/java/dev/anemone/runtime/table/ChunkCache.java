// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.table;

import dev.anemone.runtime.shuffle.format.ChunkRecords;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The chunks that were looked into last, of all tables of a job, on the heap up to a limit. A chunk
 * that would take more than half of it is not kept. Thread-safe.
 */
final class ChunkCache {

  private final long maxBytes;
  private final Map<Key, ChunkRecords> chunks = new LinkedHashMap<>(16, 0.75f, true);
  private long bytes;

  /**
   * A chunk of a table.
   *
   * @param table compared by identity, since tables have no equals
   */
  private record Key(SortedTable table, int chunk) {}

  ChunkCache(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** A chunk, or null when it is not here. */
  synchronized ChunkRecords get(SortedTable table, int chunk) {
    return chunks.get(new Key(table, chunk));
  }

  /** Keeps a chunk in place of those that nobody has looked into for longer. */
  synchronized void put(SortedTable table, int chunk, ChunkRecords records) {
    if (records.heapBytes() > maxBytes / 2) {
      return;
    }
    ChunkRecords former = chunks.put(new Key(table, chunk), records);
    bytes += records.heapBytes() - (former == null ? 0 : former.heapBytes());
    var eldest = chunks.values().iterator();
    while (bytes > maxBytes) {
      bytes -= eldest.next().heapBytes();
      eldest.remove();
    }
  }

  /** Lets go of the chunks of a table. */
  synchronized void forget(SortedTable table) {
    chunks
        .entrySet()
        .removeIf(
            entry -> {
              boolean its = entry.getKey().table() == table;
              bytes -= its ? entry.getValue().heapBytes() : 0;
              return its;
            });
  }

  /** Bytes of the chunks that are here. */
  synchronized long bytes() {
    return bytes;
  }
}
