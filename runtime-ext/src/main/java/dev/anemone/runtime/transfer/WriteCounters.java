package dev.anemone.runtime.transfer;

import dev.anemone.runtime.engine.EdgeCounters;
import dev.anemone.runtime.memory.TaskMemory;
import dev.anemone.runtime.shuffle.WriteStatistics;

/** Turns what a writer counted into the counters of its edge. */
final class WriteCounters {

  private WriteCounters() {}

  static EdgeCounters of(
      WriteStatistics statistics, TaskMemory memory, long pushedBytes, long fallenBackBytes) {
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
        fallenBackBytes,
        memory.peakBytes());
  }
}
