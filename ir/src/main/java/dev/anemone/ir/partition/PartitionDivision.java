// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.partition;

import java.util.HashSet;
import java.util.List;
import java.util.Objects;

/**
 * Partitions that several consumer tasks read: one that is too large for a single task, or all, so
 * that each task reads what certain producers wrote; or because another shuffle into the same input
 * has divided them. The idea is that of skewed joins and of local shuffle readers in adaptive query
 * execution (Apache Spark 3): producers need not know.
 *
 * <p>Producers are told apart by their number among all tasks of the job: of {@code m} tasks, the
 * one at {@code j} in the list reads what the producers {@code n} with {@code n % m == j} wrote.
 *
 * @param range the partitions
 * @param tasks the consumer tasks that read some of them, at least two, distinct, in the order of
 *     their shares
 * @param replicated whether each of these reads all of them, instead of a share
 */
public record PartitionDivision(HashRange range, List<Integer> tasks, boolean replicated) {

  public PartitionDivision {
    Objects.requireNonNull(range, "range");
    tasks = List.copyOf(tasks);
    if (tasks.size() < 2 || new HashSet<>(tasks).size() < tasks.size()) {
      throw new IllegalArgumentException(
          range.text() + " must be divided among at least two tasks, not " + tasks);
    }
  }

  /** A division of one partition. */
  public PartitionDivision(int partition, List<Integer> tasks, boolean replicated) {
    this(new HashRange(partition, partition + 1), tasks, replicated);
  }

  /** Whether a task reads what a producer wrote into the partitions. */
  public boolean reads(int task, int producer) {
    return replicated ? tasks.contains(task) : tasks.get(producer % tasks.size()) == task;
  }

  /**
   * Whether a task reads what some producer of a class wrote into the partitions.
   *
   * @param producerClass of the producers {@code n} with {@code n % classes == producerClass}
   */
  public boolean readsSomeOf(int task, int producerClass, int classes) {
    int share = tasks.indexOf(task);
    int step = greatestCommonDivisor(tasks.size(), classes);
    return share >= 0 && (replicated || share % step == producerClass % step);
  }

  private static int greatestCommonDivisor(int a, int b) {
    return b == 0 ? a : greatestCommonDivisor(b, a % b);
  }
}
