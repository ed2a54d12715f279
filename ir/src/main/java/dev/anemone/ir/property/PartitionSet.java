// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.property;

import dev.anemone.ir.partition.HashRange;
import dev.anemone.ir.partition.PartitionDivision;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The partitions that each consumer task of a shuffle reads. Together they cover all partitions,
 * each once except those that are divided. Run-time passes rewrite it.
 *
 * @param perTask for each consumer task its ranges, which need not be contiguous, and may be none;
 *     what is divided is a range of its own with each of the tasks that read it
 * @param divisions the partitions that several tasks read, each in one division at most
 */
public record PartitionSet(List<List<HashRange>> perTask, List<PartitionDivision> divisions)
    implements EdgeProperty {

  public PartitionSet {
    perTask = perTask.stream().map(List::copyOf).toList();
    divisions = List.copyOf(divisions);
  }

  /** A set in which no partition is divided. */
  public PartitionSet(List<List<HashRange>> perTask) {
    this(perTask, List.of());
  }

  /** Equal contiguous ranges: {@code multiplier} partitions for each of {@code tasks} tasks. */
  public static PartitionSet even(int tasks, int multiplier) {
    return new PartitionSet(
        IntStream.range(0, tasks)
            .mapToObj(t -> List.of(new HashRange(t * multiplier, (t + 1) * multiplier)))
            .toList());
  }

  /** A set in which no task reads anything. */
  public static PartitionSet none(int tasks) {
    return new PartitionSet(IntStream.range(0, tasks).mapToObj(t -> List.<HashRange>of()).toList());
  }

  /** Number of partitions: the end of the last range of all. */
  public int partitions() {
    return perTask.stream().flatMap(List::stream).mapToInt(HashRange::to).max().orElse(0);
  }
}
