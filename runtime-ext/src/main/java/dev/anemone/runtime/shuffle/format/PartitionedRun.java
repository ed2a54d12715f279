// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.format;

/**
 * A run over several partitions, in ascending order, each of them sorted by its keys; {@link #next}
 * ends where the current partition does. A run stands before its first partition in the beginning.
 *
 * <p>So a merge compares partitions once for each of them, and not for every record.
 */
public interface PartitionedRun extends RunCursor {

  /**
   * Moves before the first record of the next partition, which may turn out to have none; the
   * records of the current one must have been read.
   *
   * @return whether there is one
   */
  boolean nextPartition();

  /** The current partition, until {@link #nextPartition} is called. */
  int partition();
}
