// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.samplingerror;

/**
 * Bytes of keys and values that each producer task has for each hash partition. Not thread-safe.
 */
final class PartitionSizes {
  private final long[][] bytes;

  PartitionSizes(int tasks, int partitions) {
    bytes = new long[tasks][partitions];
  }

  void add(int task, int partition, long recordBytes) {
    bytes[task][partition] += recordBytes;
  }

  int tasks() {
    return bytes.length;
  }

  int partitions() {
    return bytes[0].length;
  }

  /** Bytes of each partition, of all tasks together. */
  long[] all() {
    int[] every = new int[bytes.length];
    for (int task = 0; task < every.length; task++) {
      every[task] = task;
    }
    return of(every);
  }

  /** Bytes of each partition, of some tasks together. */
  long[] of(int[] tasks) {
    long[] sums = new long[partitions()];
    for (int task : tasks) {
      for (int partition = 0; partition < sums.length; partition++) {
        sums[partition] += bytes[task][partition];
      }
    }
    return sums;
  }
}
