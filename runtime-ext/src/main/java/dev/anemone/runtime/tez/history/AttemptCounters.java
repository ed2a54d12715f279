// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.history;

import dev.anemone.runtime.event.AttemptTimes;
import dev.anemone.runtime.event.TaskFinished.Amount;
import org.apache.tez.common.counters.TezCounter;
import org.apache.tez.common.counters.TezCounters;

/**
 * What an attempt counts of itself, as Tez's counters: these come to the application master with
 * heartbeats while it runs, and with its end, whether it has succeeded or not.
 *
 * @param times where its time went
 * @param read what it read from other stages
 * @param written what it wrote for other stages
 * @param spilledBytes bytes that it wrote because memory was full
 */
public record AttemptCounters(AttemptTimes times, Amount read, Amount written, long spilledBytes) {

  /** Of an attempt that has counted nothing. */
  public static final AttemptCounters NONE =
      new AttemptCounters(AttemptTimes.NONE, Amount.NONE, Amount.NONE, 0);

  private static final String GROUP = "anemone";

  /** The counters that there are. */
  private enum Name {
    INPUT,
    FETCH_WAIT,
    COMPUTE,
    SORT,
    SPILL,
    PUSH,
    WRITE,
    COMMIT,
    GC,
    READ_RECORDS,
    READ_BYTES,
    WRITTEN_RECORDS,
    WRITTEN_BYTES,
    SPILLED_BYTES
  }

  /** Sets the counters of an attempt. */
  public void writeTo(TezCounters counters) {
    set(counters, Name.INPUT, times.input());
    set(counters, Name.FETCH_WAIT, times.fetchWait());
    set(counters, Name.COMPUTE, times.compute());
    set(counters, Name.SORT, times.sort());
    set(counters, Name.SPILL, times.spill());
    set(counters, Name.PUSH, times.push());
    set(counters, Name.WRITE, times.write());
    set(counters, Name.COMMIT, times.commit());
    set(counters, Name.GC, times.gc());
    set(counters, Name.READ_RECORDS, read.records());
    set(counters, Name.READ_BYTES, read.bytes());
    set(counters, Name.WRITTEN_RECORDS, written.records());
    set(counters, Name.WRITTEN_BYTES, written.bytes());
    set(counters, Name.SPILLED_BYTES, spilledBytes);
  }

  private static void set(TezCounters counters, Name name, long value) {
    // Each is kept by the master for each attempt, so those of no interest are left out.
    if (value != 0) {
      counters.findCounter(GROUP, name.name()).setValue(value);
    }
  }

  /** What an attempt has set; zeros where there is nothing. */
  static AttemptCounters readFrom(TezCounters counters) {
    if (counters == null) {
      return NONE;
    }
    return new AttemptCounters(
        new AttemptTimes(
            get(counters, Name.INPUT),
            get(counters, Name.FETCH_WAIT),
            get(counters, Name.COMPUTE),
            get(counters, Name.SORT),
            get(counters, Name.SPILL),
            get(counters, Name.PUSH),
            get(counters, Name.WRITE),
            get(counters, Name.COMMIT),
            get(counters, Name.GC)),
        new Amount(get(counters, Name.READ_RECORDS), get(counters, Name.READ_BYTES)),
        new Amount(get(counters, Name.WRITTEN_RECORDS), get(counters, Name.WRITTEN_BYTES)),
        get(counters, Name.SPILLED_BYTES));
  }

  private static long get(TezCounters counters, Name name) {
    TezCounter counter = counters.getGroup(GROUP).findCounter(name.name(), false);
    return counter == null ? 0 : counter.getValue();
  }
}
