// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.check;

import dev.anemone.ir.partition.HashRange;
import dev.anemone.ir.partition.PartitionDivision;
import dev.anemone.ir.property.PartitionSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Puts together what several sets of partitions read, to find out whether it is all, once. Not
 * thread-safe.
 */
final class PartitionCover {

  private final List<HashRange> ranges = new ArrayList<>();

  /**
   * Adds a set. What it divides counts once.
   *
   * @param problems told what is wrong with the set's divisions
   */
  void add(PartitionSet set, Consumer<String> problems) {
    Map<HashRange, PartitionDivision> divisions = new HashMap<>();
    for (PartitionDivision division : set.divisions()) {
      if (divisions.put(division.range(), division) != null) {
        problems.accept("has a PartitionSet that divides " + division.range().text() + " twice");
      }
    }
    Map<HashRange, Set<Integer>> readers = new HashMap<>();
    for (int task = 0; task < set.perTask().size(); task++) {
      for (HashRange range : set.perTask().get(task)) {
        if (divisions.containsKey(range)) {
          if (!readers.computeIfAbsent(range, k -> new TreeSet<>()).add(task)) {
            ranges.add(range); // reported as read more than once
          }
        } else {
          ranges.add(range);
        }
      }
    }
    for (PartitionDivision division : divisions.values()) {
      Set<Integer> found = readers.getOrDefault(division.range(), Set.of());
      if (!found.equals(new TreeSet<>(division.tasks()))) {
        problems.accept(
            "has a PartitionSet that divides "
                + division.range().text()
                + " among the tasks "
                + division.tasks()
                + ", but the tasks that have that as a range of its own are "
                + found);
      }
      if (!found.isEmpty()) {
        ranges.add(division.range());
      }
    }
  }

  /** Tells which partitions are left out or read more than once. */
  void check(Consumer<String> problems) {
    long next = 0;
    for (HashRange range : ranges.stream().sorted().toList()) {
      if (range.from() > next) {
        problems.accept("has a PartitionSet that leaves out " + show(next, range.from()));
      } else if (range.from() < next) {
        problems.accept(
            "has a PartitionSet that covers "
                + show(range.from(), Math.min(next, range.to()))
                + " more than once");
      }
      next = Math.max(next, range.to());
    }
  }

  private static String show(long from, long to) {
    return "partitions [" + from + ", " + to + ")";
  }
}
