// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.history;

import dev.anemone.runtime.event.JobProgress.MemoryUse;
import java.util.Optional;
import org.apache.tez.common.counters.TezCounter;
import org.apache.tez.common.counters.TezCounters;

/**
 * What the container of an attempt has in use, as Tez's counters, which come to the application
 * master with the attempt's heartbeats.
 */
public final class MemoryCounters {

  private static final String GROUP = "anemone-memory";
  private static final String HEAP = "HEAP";
  private static final String OFF_HEAP = "OFF_HEAP";
  private static final String NATIVE = "NATIVE";

  private MemoryCounters() {}

  /** Sets the counters of an attempt that runs. */
  public static void write(MemoryUse use, TezCounters counters) {
    counters.findCounter(GROUP, HEAP).setValue(use.heapUsed());
    counters.findCounter(GROUP, OFF_HEAP).setValue(use.offHeapUsed());
    counters.findCounter(GROUP, NATIVE).setValue(use.nativeUsed());
  }

  /**
   * What {@link #write} has set.
   *
   * @return empty when the attempt has told nothing yet
   */
  static Optional<MemoryUse> read(TezCounters counters) {
    long heap = get(counters, HEAP);
    return heap == 0
        ? Optional.empty()
        : Optional.of(new MemoryUse(heap, get(counters, OFF_HEAP), get(counters, NATIVE)));
  }

  private static long get(TezCounters counters, String name) {
    TezCounter counter = counters.getGroup(GROUP).findCounter(name, false);
    return counter == null ? 0 : counter.getValue();
  }
}
