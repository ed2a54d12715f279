// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.stage;

import dev.anemone.ir.partition.HashRange;
import dev.anemone.ir.partition.PartitionDivision;
import java.util.List;

/**
 * What one task reads over an input link.
 *
 * @param ranges its partitions
 * @param divisions those of them that other tasks read, too
 */
public record LinkRanges(List<HashRange> ranges, List<PartitionDivision> divisions) {

  public LinkRanges {
    ranges = List.copyOf(ranges);
    divisions = List.copyOf(divisions);
  }

  /** Those of a task, of the ranges and divisions of all tasks. */
  public static LinkRanges of(
      int task, List<List<HashRange>> perTask, List<PartitionDivision> divisions) {
    return new LinkRanges(
        perTask.get(task),
        divisions.stream().filter(division -> division.tasks().contains(task)).toList());
  }
}
