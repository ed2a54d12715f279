// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer;

import dev.anemone.ir.partition.HashRange;
import dev.anemone.ir.partition.PartitionDivision;
import dev.anemone.runtime.shuffle.format.RunFilter;
import dev.anemone.runtime.stage.Link;
import dev.anemone.runtime.transfer.announcement.BlockAnnouncement;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * What a task reads of the blocks of an input link: its partitions, and of those that are divided
 * the runs of its share of the producers.
 *
 * @param task index of the task in its stage
 * @param ranges its partitions, ascending
 * @param divisions the divided ones among the link's partitions, by the first of each division
 */
record TaskShare(
    int task, List<HashRange> ranges, NavigableMap<Integer, PartitionDivision> divisions) {

  TaskShare {
    ranges = List.copyOf(ranges);
    divisions = Collections.unmodifiableNavigableMap(new TreeMap<>(divisions));
  }

  /** The share of a task attempt. */
  static TaskShare of(TaskAttempt attempt, Link link) {
    NavigableMap<Integer, PartitionDivision> divisions = new TreeMap<>();
    link.divisions().forEach(division -> divisions.put(division.range().from(), division));
    return new TaskShare(attempt.task(), attempt.partitionsOf(link), divisions);
  }

  /**
   * The ranges that have something for the task in the block that was announced. Of a block of one
   * producer, divided partitions are left out where that producer is another task's.
   */
  List<HashRange> in(BlockAnnouncement announcement) {
    return announcement.filled(ranges).stream()
        .filter(
            range ->
                !announcement.singleRuns() || reads(range.from(), announcement.producer().task()))
        .toList();
  }

  /** Leaves out the runs of a block that count for nothing, and those that are not the task's. */
  RunFilter filter(BlockAnnouncement announcement) {
    return (partition, producer) ->
        announcement.dropped().contains(producer) || !reads(partition, producer.task());
  }

  private boolean reads(int partition, int producer) {
    Map.Entry<Integer, PartitionDivision> below = divisions.floorEntry(partition);
    return below == null
        || partition >= below.getValue().range().to()
        || below.getValue().reads(task, producer);
  }
}
