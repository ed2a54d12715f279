// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.partition;

import java.util.HashSet;
import java.util.List;

/**
 * A partition that several consumer tasks read, because it is too large for one of them, or because
 * another shuffle into the same input has divided it. The idea is that of skewed joins in adaptive
 * query execution (Apache Spark 3): producers need not know.
 *
 * <p>Producers are told apart by their number among all tasks of the job: of {@code m} tasks, the
 * one at {@code j} in the list reads what the producers {@code n} with {@code n % m == j} wrote.
 *
 * @param partition the partition
 * @param tasks the consumer tasks that read some of it, at least two, distinct, in the order of
 *     their shares
 * @param replicated whether each of them reads all of it, instead of a share
 */
public record PartitionDivision(int partition, List<Integer> tasks, boolean replicated) {

  public PartitionDivision {
    tasks = List.copyOf(tasks);
    if (partition < 0) {
      throw new IllegalArgumentException("there is no partition " + partition);
    }
    if (tasks.size() < 2 || new HashSet<>(tasks).size() < tasks.size()) {
      throw new IllegalArgumentException(
          "partition " + partition + " must be divided among at least two tasks, not " + tasks);
    }
  }

  /** Whether a task reads what a producer wrote into the partition. */
  public boolean reads(int task, int producer) {
    int share = tasks.indexOf(task);
    return share >= 0 && (replicated || producer % tasks.size() == share);
  }
}
