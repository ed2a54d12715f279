// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.check;

import dev.anemone.ir.partition.HashRange;
import dev.anemone.ir.property.PartitionSet;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Compares which tasks read a partition by two sets. */
final class PartitionReaders {

  private PartitionReaders() {}

  /** A range and the task that reads it. */
  private record Read(HashRange range, int task) {}

  /**
   * The first partition that both sets read, but not with the same tasks; empty when there is none.
   */
  static Optional<Integer> firstDifference(PartitionSet one, PartitionSet other) {
    if (one.perTask().equals(other.perTask())) {
      return Optional.empty();
    }
    List<Segment> ofOne = segments(one);
    List<Segment> ofOther = segments(other);
    int i = 0;
    int j = 0;
    while (i < ofOne.size() && j < ofOther.size()) {
      Segment a = ofOne.get(i);
      Segment b = ofOther.get(j);
      int from = Math.max(a.from(), b.from());
      if (from < Math.min(a.to(), b.to()) && !a.tasks().equals(b.tasks())) {
        return Optional.of(from);
      }
      if (a.to() <= b.to()) {
        i++;
      } else {
        j++;
      }
    }
    return Optional.empty();
  }

  /** Neighbouring partitions that the same tasks read. */
  private record Segment(int from, int to, List<Integer> tasks) {}

  /**
   * The partitions that a set reads, in order. Ranges that overlap in part, which are wrong, count
   * as one segment each.
   */
  private static List<Segment> segments(PartitionSet set) {
    List<Read> reads = new ArrayList<>();
    for (int task = 0; task < set.perTask().size(); task++) {
      for (HashRange range : set.perTask().get(task)) {
        reads.add(new Read(range, task));
      }
    }
    reads.sort(Comparator.comparing(Read::range).thenComparing(Read::task));
    List<Segment> segments = new ArrayList<>();
    for (int first = 0; first < reads.size(); ) {
      HashRange range = reads.get(first).range();
      List<Integer> tasks = new ArrayList<>();
      int next = first;
      while (next < reads.size() && reads.get(next).range().equals(range)) {
        tasks.add(reads.get(next++).task());
      }
      segments.add(new Segment(range.from(), range.to(), tasks));
      first = next;
    }
    return segments;
  }
}
