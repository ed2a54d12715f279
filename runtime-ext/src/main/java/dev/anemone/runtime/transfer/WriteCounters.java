// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer;

import dev.anemone.runtime.engine.EdgeCounters;
import dev.anemone.runtime.memory.TaskMemory;
import dev.anemone.runtime.shuffle.merge.WriteStatistics;

/** Turns what a writer counted into the counters of its edge. */
final class WriteCounters {

  private WriteCounters() {}

  /** Of a link that is not pushed. */
  static EdgeCounters of(WriteStatistics statistics, TaskMemory memory) {
    return of(statistics, memory, EdgeCounters.Pushed.NONE);
  }

  /** Of a link that is pushed. */
  static EdgeCounters of(
      WriteStatistics statistics, TaskMemory memory, EdgeCounters.Pushed pushed) {
    return new EdgeCounters(
        new EdgeCounters.Written(
            statistics.records(), statistics.rawBytes(), statistics.storedBytes()),
        new EdgeCounters.Spilled(statistics.spills(), statistics.spilledBytes()),
        EdgeCounters.Disk.NONE,
        EdgeCounters.Cached.NONE,
        pushed,
        memory.peakBytes());
  }
}
