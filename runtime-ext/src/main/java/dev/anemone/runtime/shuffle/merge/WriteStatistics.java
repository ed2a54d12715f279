// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.merge;

import dev.anemone.runtime.clock.TaskClock;
import dev.anemone.runtime.shuffle.format.ChunkSink;
import dev.anemone.runtime.store.ReadStatistics;

/**
 * Counts what the writer of one link did. The memory that it took at most is the peak of its {@link
 * dev.anemone.runtime.memory.TaskMemory}. Not thread-safe.
 */
public final class WriteStatistics {

  private final TaskClock clock;
  private final ReadStatistics spillReads = new ReadStatistics();
  private long records;
  private long rawBytes;
  private long storedBytes;
  private long spills;
  private long spilledBytes;
  private long combinedAway;

  /** Counts nothing yet, and has a clock of its own. */
  public WriteStatistics() {
    this(new TaskClock());
  }

  /** Counts nothing yet. */
  public WriteStatistics(TaskClock clock) {
    this.clock = clock;
  }

  /** The clock of the task. */
  public TaskClock clock() {
    return clock;
  }

  public void countRecord(int keyLength, int valueLength) {
    records++;
    rawBytes += (long) keyLength + valueLength;
  }

  /** A sink that counts the stored bytes that go through it. */
  public ChunkSink counting(ChunkSink sink) {
    return (partition, chunks, rawBytes) -> {
      storedBytes += chunks.remaining();
      sink.accept(partition, chunks, rawBytes);
    };
  }

  /** Counts a block that was spilled. */
  public void countSpill(long bytes) {
    spills++;
    spilledBytes += bytes;
  }

  public void countCombinedAway(long count) {
    combinedAway += count;
  }

  /** Records that were written, before combining. */
  public long records() {
    return records;
  }

  /** Bytes of their keys and values. */
  public long rawBytes() {
    return rawBytes;
  }

  /** Bytes of the chunks that came out in the end: in the block, or at the sink. */
  public long storedBytes() {
    return storedBytes;
  }

  /** Blocks that were spilled, with those that merging other spills made. */
  public long spills() {
    return spills;
  }

  /** Bytes of the chunks in those blocks. */
  public long spilledBytes() {
    return spilledBytes;
  }

  /** Records that combining saved: each time that n became one, n - 1. */
  public long combinedAway() {
    return combinedAway;
  }

  /** The reads of spilled blocks. */
  public ReadStatistics spillReads() {
    return spillReads;
  }
}
