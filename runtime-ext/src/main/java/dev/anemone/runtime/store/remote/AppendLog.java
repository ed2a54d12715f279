// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store.remote;

import java.util.Arrays;

/**
 * What was appended to a block, in order: runs of bytes, each of one partition. Used by one thread.
 */
final class AppendLog {

  private static final int INITIAL_RUNS = 16;

  private int[] partitions = new int[INITIAL_RUNS];
  private long[] lengths = new long[INITIAL_RUNS];
  private int runs;

  /** Adds bytes. */
  void add(int partition, long bytes) {
    if (bytes == 0) {
      return;
    }
    if (runs > 0 && partitions[runs - 1] == partition) {
      lengths[runs - 1] += bytes;
      return;
    }
    if (runs == partitions.length) {
      partitions = Arrays.copyOf(partitions, 2 * runs);
      lengths = Arrays.copyOf(lengths, 2 * runs);
    }
    partitions[runs] = partition;
    lengths[runs] = bytes;
    runs++;
  }

  int runs() {
    return runs;
  }

  int partition(int run) {
    return partitions[run];
  }

  long length(int run) {
    return lengths[run];
  }

  /** Where the bytes of each partition are, when the runs lie one behind the other. */
  RemoteExtents extents(int partitionCount) {
    int[] starts = new int[partitionCount + 1];
    for (int run = 0; run < runs; run++) {
      starts[partitions[run] + 1]++;
    }
    for (int p = 0; p < partitionCount; p++) {
      starts[p + 1] += starts[p];
    }
    int[] next = Arrays.copyOf(starts, partitionCount);
    long[] stored = new long[partitionCount];
    long[] offsets = new long[runs];
    long[] ends = new long[runs];
    long offset = 0;
    for (int run = 0; run < runs; run++) {
      int p = partitions[run];
      stored[p] += lengths[run];
      offsets[next[p]] = offset;
      ends[next[p]] = stored[p];
      next[p]++;
      offset += lengths[run];
    }
    return new RemoteExtents(starts, offsets, ends);
  }
}
