// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer;

import dev.anemone.runtime.engine.EdgeCounters;
import dev.anemone.runtime.store.ReadStatistics;

/** Turns what a reader counted into the counters of its edge. */
final class ReadCounters {

  private ReadCounters() {}

  static EdgeCounters of(ReadStatistics reads, long memoryPeakBytes) {
    return of(reads, EdgeCounters.Spilled.NONE, memoryPeakBytes);
  }

  static EdgeCounters of(ReadStatistics reads, EdgeCounters.Spilled spilled, long memoryPeakBytes) {
    return new EdgeCounters(
        EdgeCounters.Written.NONE,
        spilled,
        new EdgeCounters.Disk(reads.reads(), reads.seeks(), reads.bytes()),
        new EdgeCounters.Pooled(0, 0, reads.poolBytes()),
        new EdgeCounters.Cached(
            reads.cacheHits(),
            reads.cacheMisses(),
            reads.cacheHitBytes(),
            reads.nameHits(),
            reads.nameMisses()),
        EdgeCounters.Pushed.NONE,
        new EdgeCounters.Fetched(reads.fetchedBytes(), reads.transportFetchedBytes()),
        memoryPeakBytes);
  }
}
