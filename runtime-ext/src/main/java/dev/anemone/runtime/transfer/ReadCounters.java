// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer;

import dev.anemone.runtime.engine.EdgeCounters;
import dev.anemone.runtime.store.ReadStatistics;

/** Turns what a reader counted into the counters of its edge. */
final class ReadCounters {

  private ReadCounters() {}

  static EdgeCounters of(ReadStatistics reads, long memoryPeakBytes) {
    return of(reads, 0, 0, memoryPeakBytes);
  }

  static EdgeCounters of(
      ReadStatistics reads, long spills, long spilledBytes, long memoryPeakBytes) {
    return new EdgeCounters(
        0,
        0,
        0,
        spills,
        spilledBytes,
        reads.reads(),
        reads.seeks(),
        reads.bytes(),
        0,
        0,
        0,
        memoryPeakBytes);
  }
}
