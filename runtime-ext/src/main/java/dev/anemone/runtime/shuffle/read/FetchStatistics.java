// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.read;

import dev.anemone.runtime.clock.TaskClock;
import dev.anemone.runtime.store.ReadStatistics;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts what the reader of one link did. Reads of the producers' blocks are counted where these
 * are opened. Counted by one thread; {@link #rawBytes} can be asked for by any.
 */
public final class FetchStatistics {

  private final TaskClock clock;
  private final ReadStatistics spillReads = new ReadStatistics();
  private long records;
  private final AtomicLong rawBytes = new AtomicLong();
  private long spills;
  private long spilledBytes;

  /** Counts nothing yet, and has a clock of its own. */
  public FetchStatistics() {
    this(new TaskClock());
  }

  /** Counts nothing yet. */
  public FetchStatistics(TaskClock clock) {
    this.clock = clock;
  }

  /** The clock of the task. */
  public TaskClock clock() {
    return clock;
  }

  void countRecord() {
    records++;
  }

  void countRaw(long bytes) {
    rawBytes.setRelease(rawBytes.getPlain() + bytes);
  }

  void countSpill(long bytes) {
    spills++;
    spilledBytes += bytes;
  }

  /** Records that were handed out or skipped, after combining. */
  public long records() {
    return records;
  }

  /**
   * Bytes of the chunks' records before compression, counted when these are fetched or, where a run
   * is read in its place, read; without those that are left out.
   */
  public long rawBytes() {
    return rawBytes.get();
  }

  /** Blocks that were spilled, with those that merging other spills made. */
  public long spills() {
    return spills;
  }

  /** Bytes of the chunks in those blocks. */
  public long spilledBytes() {
    return spilledBytes;
  }

  /** The reads of spilled blocks. */
  public ReadStatistics spillReads() {
    return spillReads;
  }
}
