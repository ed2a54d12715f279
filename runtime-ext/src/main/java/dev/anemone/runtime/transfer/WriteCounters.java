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
    return of(statistics, memory, 0, 0, 0);
  }

  /**
   * Of a link that is pushed.
   *
   * @param transportBytes those of the pushed bytes that did not go by Netty
   */
  static EdgeCounters of(
      WriteStatistics statistics,
      TaskMemory memory,
      long pushedBytes,
      long transportBytes,
      long fallenBackBytes) {
    return new EdgeCounters(
        statistics.records(),
        statistics.rawBytes(),
        statistics.storedBytes(),
        statistics.spills(),
        statistics.spilledBytes(),
        0,
        0,
        0,
        pushedBytes,
        transportBytes,
        fallenBackBytes,
        memory.peakBytes());
  }
}
