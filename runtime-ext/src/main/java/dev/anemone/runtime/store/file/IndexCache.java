// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store.file;

import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockTable;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Indexes of blocks that were written or read whole not long ago: every consumer task opens every
 * producer's block, and the index is read once, not once for each consumer. Those that do not fit
 * are read by entries, which does not put others out. Thread-safe.
 */
final class IndexCache {

  private static final int ENTRY_BYTES = 300;

  private final long maxBytes;
  private final Map<BlockId, BlockTable> indexes = new LinkedHashMap<>(16, 0.75f, true);
  private long bytes;

  /**
   * An empty cache.
   *
   * @param maxBytes bytes of heap, about, that its entries may take
   */
  IndexCache(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** An index, or null. */
  synchronized BlockTable get(BlockId id) {
    return indexes.get(id);
  }

  synchronized void put(BlockId id, BlockTable index) {
    remove(id);
    indexes.put(id, index);
    bytes += bytesOf(index);
    Iterator<BlockTable> eldest = indexes.values().iterator();
    while (bytes > maxBytes && eldest.hasNext()) {
      bytes -= bytesOf(eldest.next());
      eldest.remove();
    }
  }

  synchronized void remove(BlockId id) {
    BlockTable index = indexes.remove(id);
    if (index != null) {
      bytes -= bytesOf(index);
    }
  }

  private static long bytesOf(BlockTable index) {
    return ENTRY_BYTES + index.heapBytes();
  }
}
