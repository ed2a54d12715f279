// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer;

import dev.anemone.runtime.engine.EdgeCounters;
import dev.anemone.runtime.memory.TaskMemory;
import dev.anemone.runtime.shuffle.merge.WriteStatistics;

/** Turns what a writer counted into the counters of its edge. */
final class WriteCounters {

  private WriteCounters() {}

  /**
   * Of a link that is not pushed.
   *
   * @param pooled where its block went
   */
  static EdgeCounters of(
      WriteStatistics statistics, TaskMemory memory, EdgeCounters.Pooled pooled) {
    return of(statistics, memory, pooled, EdgeCounters.Pushed.NONE);
  }

  /** Of a link that is pushed. */
  static EdgeCounters of(
      WriteStatistics statistics, TaskMemory memory, EdgeCounters.Pushed pushed) {
    return of(statistics, memory, EdgeCounters.Pooled.NONE, pushed);
  }

  private static EdgeCounters of(
      WriteStatistics statistics,
      TaskMemory memory,
      EdgeCounters.Pooled pooled,
      EdgeCounters.Pushed pushed) {
    return new EdgeCounters(
        new EdgeCounters.Written(
            statistics.records(), statistics.rawBytes(), statistics.storedBytes()),
        new EdgeCounters.Spilled(statistics.spills(), statistics.spilledBytes()),
        EdgeCounters.Disk.NONE,
        pooled,
        EdgeCounters.Cached.NONE,
        pushed,
        EdgeCounters.Fetched.NONE,
        memory.peakBytes());
  }
}
