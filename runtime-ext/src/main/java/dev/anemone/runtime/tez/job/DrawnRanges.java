// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.job;

import dev.anemone.ir.partition.HashRange;
import dev.anemone.ir.partition.PartitionDivision;
import java.util.List;

/**
 * What the tasks of a stage read over a link, as it was decided while the job runs; it comes with
 * the link's input and takes the place of what the stage's plan says.
 *
 * @param perTask for each task its ranges of partitions
 * @param divisions the partitions that several tasks read
 */
public record DrawnRanges(List<List<HashRange>> perTask, List<PartitionDivision> divisions) {

  public DrawnRanges {
    perTask = perTask.stream().map(List::copyOf).toList();
    divisions = List.copyOf(divisions);
  }
}
