package dev.anemone.runtime.tez;

import dev.anemone.ir.property.HashRange;
import dev.anemone.ir.property.PartitionDivision;
import java.util.List;

/**
 * What the tasks of a stage read over a link, as it was decided while the job runs; it comes with
 * the link's input and takes the place of what the stage's plan says.
 *
 * @param perTask for each task its ranges of partitions
 * @param divisions the partitions that several tasks read
 */
record DrawnRanges(List<List<HashRange>> perTask, List<PartitionDivision> divisions) {

  DrawnRanges {
    perTask = perTask.stream().map(List::copyOf).toList();
    divisions = List.copyOf(divisions);
  }
}
