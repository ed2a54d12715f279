// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.skew;

/** How partitions of a consumer can be divided, if they can. */
interface DivisionMethod {

  /** The most shares that a partition can be divided into; 1 if it cannot. */
  int mostShares(int partition);

  /** Into how many shares a partition is divided first, 2 at least; it can be. */
  int firstShares(int partition);

  /** What a task of the consumer reads of a partition, in bytes, when it has so many shares. */
  double consumerBytes(int partition, int shares);

  /** How many tasks of the consumer read of a partition that has so many shares. */
  int consumerTasks(int shares);

  /**
   * What a task that runs ahead of the consumer, and does nothing else, reads of a partition, in
   * bytes, when it has so many shares; 0 where there are no such tasks.
   */
  double aheadBytes(int partition, int shares);

  /** Tasks that run ahead of the consumer; 0 where there are none. */
  int aheadTasks();
}
