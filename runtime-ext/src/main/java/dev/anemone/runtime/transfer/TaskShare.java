// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer;

import dev.anemone.ir.partition.HashRange;
import dev.anemone.ir.partition.PartitionDivision;
import dev.anemone.runtime.shuffle.format.RunFilter;
import dev.anemone.runtime.stage.Link;
import dev.anemone.runtime.store.BlockReader;
import dev.anemone.runtime.store.JoinedPartitions;
import dev.anemone.runtime.store.ReadStatistics;
import dev.anemone.runtime.transfer.announcement.BlockAnnouncement;
import dev.anemone.runtime.transfer.announcement.ProducerClasses;
import dev.anemone.runtime.transfer.fetch.FetchQueue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

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
   * The ranges that have something for the task in the block that was announced, each from the
   * first partition that is not empty to the last: what was fetched of a block ends with the last
   * one. Of a block of one producer, divided partitions are left out where that producer is another
   * task's.
   */
  List<HashRange> in(BlockAnnouncement announcement) {
    BitSet filled = filled(announcement);
    List<HashRange> found = new ArrayList<>(ranges.size());
    for (HashRange range : ranges) {
      int first = filled.nextSetBit(range.from());
      if (first >= 0
          && first < range.to()
          && (!announcement.singleRuns() || reads(first, announcement.producer().task()))) {
        found.add(new HashRange(first, filled.previousSetBit(range.to() - 1) + 1));
      }
    }
    return found;
  }

  /** The partitions in which something may be for the task. */
  private BitSet filled(BlockAnnouncement announcement) {
    ProducerClasses classes = announcement.classes();
    if (classes.partitions().isEmpty()) {
      return announcement.partitions();
    }
    BitSet filled = announcement.partitions().get(0, classes.first());
    for (int place = 0; place < classes.partitions().size(); place++) {
      filled.set(classes.partitions().get(place), parts(announcement, place).length > 0);
    }
    return filled;
  }

  /**
   * Of what a block that was announced is made that the task reads: the partitions that are stored,
   * and not empty.
   */
  BitSet stored(BlockAnnouncement announcement) {
    BitSet stored = new BitSet();
    in(announcement).forEach(range -> stored.set(range.from(), range.to()));
    stored.and(announcement.partitions());
    joined(announcement)
        .values()
        .forEach(parts -> Arrays.stream(parts).forEach(part -> stored.set(part)));
    return stored;
  }

  /** Ranges of the stored partitions about which the block and its index will be asked. */
  private List<HashRange> within(BlockAnnouncement announcement) {
    List<HashRange> within = new ArrayList<>(in(announcement));
    ProducerClasses classes = announcement.classes();
    for (int place = 0; place < classes.partitions().size(); place++) {
      if (reads(classes.partitions().get(place))) {
        within.add(classes.stored(place));
      }
    }
    return within;
  }

  /**
   * Opens the block that was announced, or takes what was fetched of it, as if all that the task
   * reads lay in ordinary partitions.
   *
   * @param queue has given the announcement last
   * @throws IOException as {@link SourceBlock#open}
   */
  BlockReader open(
      BlockAnnouncement announcement, DataPlane plane, FetchQueue queue, ReadStatistics statistics)
      throws IOException {
    BlockReader block =
        SourceBlock.open(
            plane, queue, announcement, within(announcement), stored(announcement), statistics);
    Map<Integer, int[]> joined = joined(announcement);
    return joined.isEmpty()
        ? block
        : new JoinedPartitions(block, announcement.classes().first(), joined);
  }

  /** Of each large partition that the task reads, the stored ones that are not empty. */
  private Map<Integer, int[]> joined(BlockAnnouncement announcement) {
    Map<Integer, int[]> joined = new HashMap<>();
    List<Integer> large = announcement.classes().partitions();
    for (int place = 0; place < large.size(); place++) {
      if (reads(large.get(place))) {
        joined.put(large.get(place), parts(announcement, place));
      }
    }
    return joined;
  }

  private int[] parts(BlockAnnouncement announcement, int place) {
    int partition = announcement.classes().partitions().get(place);
    HashRange stored = announcement.classes().stored(place);
    PartitionDivision division = division(partition);
    IntStream own =
        IntStream.range(0, stored.size())
            .filter(of -> division == null || division.readsSomeOf(task, of, stored.size()))
            .map(of -> stored.from() + of);
    return IntStream.concat(IntStream.of(partition), own)
        .filter(announcement.partitions()::get)
        .toArray();
  }

  private boolean reads(int partition) {
    return ranges.stream().anyMatch(range -> range.from() <= partition && partition < range.to());
  }

  /** Leaves out the runs of a block that count for nothing, and those that are not the task's. */
  RunFilter filter(BlockAnnouncement announcement) {
    return (partition, producer) ->
        announcement.dropped().contains(producer) || !reads(partition, producer.task());
  }

  private boolean reads(int partition, int producer) {
    PartitionDivision division = division(partition);
    return division == null || division.reads(task, producer);
  }

  /** How a partition is divided; null where it is not. */
  private PartitionDivision division(int partition) {
    Map.Entry<Integer, PartitionDivision> below = divisions.floorEntry(partition);
    return below == null || partition >= below.getValue().range().to() ? null : below.getValue();
  }
}
