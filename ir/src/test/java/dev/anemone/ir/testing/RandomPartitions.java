// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.testing;

import dev.anemone.ir.IREdge;
import dev.anemone.ir.partition.HashRange;
import dev.anemone.ir.partition.PartitionDivision;
import dev.anemone.ir.property.Divisibility;
import dev.anemone.ir.property.KeyExtractor;
import dev.anemone.ir.property.Order;
import dev.anemone.ir.property.PartitionSet;
import dev.anemone.ir.property.Partitioner;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Gives the partitions of shuffles to consumer tasks: those into one input that are ordered by key
 * alike, so that equal keys meet. Not thread-safe.
 */
final class RandomPartitions {

  private final Random random;

  /** For each consumer, its multiplier. */
  private final Map<String, Integer> multipliers = new HashMap<>();

  /** For each consumer's input, the ranges of shuffles by key. */
  private final Map<List<String>, PartitionSet> byKey = new HashMap<>();

  RandomPartitions(Random random) {
    this.random = random;
  }

  IREdge partitioned(IREdge edge, int tasks) {
    if (edge.property(KeyExtractor.class).isEmpty()) {
      return edge.with(new Partitioner.Spread()).with(PartitionSet.even(tasks, 1));
    }
    if (!edge.property(Order.class).equals(Optional.of(Order.BY_KEY))) {
      int multiplier = 1 + random.nextInt(3);
      return edge.with(new Partitioner.Hash(multiplier))
          .with(new PartitionSet(ranges(tasks, multiplier)));
    }
    int multiplier = multipliers.computeIfAbsent(edge.to(), to -> 1 + random.nextInt(3));
    IREdge hashed = edge.with(new Partitioner.Hash(multiplier));
    List<String> input = List.of(edge.to(), edge.input());
    PartitionSet ofOther = byKey.get(input);
    if (ofOther != null) {
      return hashed.with(replicated(ofOther));
    }
    PartitionSet set = new PartitionSet(ranges(tasks, multiplier));
    if (edge.property(Divisibility.class).equals(Optional.of(Divisibility.DIVISIBLE))) {
      set = divided(set);
    }
    byKey.put(input, set);
    return hashed.with(set);
  }

  private List<List<HashRange>> ranges(int tasks, int multiplier) {
    List<List<HashRange>> perTask = new ArrayList<>();
    IntStream.range(0, tasks).forEach(task -> perTask.add(new ArrayList<>()));
    for (int from = 0; from < tasks * multiplier; ) {
      int to = from + 1 + random.nextInt(tasks * multiplier - from);
      perTask.get(random.nextInt(tasks)).add(new HashRange(from, to));
      from = to;
    }
    return perTask;
  }

  /** The set with a partition, if it has one that is a range of its own, among several tasks. */
  private PartitionSet divided(PartitionSet set) {
    int tasks = set.perTask().size();
    Optional<HashRange> single =
        set.perTask().stream().flatMap(List::stream).filter(range -> range.size() == 1).findAny();
    if (tasks < 2 || single.isEmpty()) {
      return set;
    }
    List<Integer> readers = new ArrayList<>(IntStream.range(0, tasks).boxed().toList());
    Collections.shuffle(readers, random);
    readers = readers.subList(0, 2 + random.nextInt(tasks - 1));
    List<List<HashRange>> perTask = new ArrayList<>();
    for (int task = 0; task < tasks; task++) {
      List<HashRange> ranges = new ArrayList<>(set.perTask().get(task));
      ranges.remove(single.get());
      if (readers.contains(task)) {
        ranges.add(single.get());
      }
      perTask.add(ranges);
    }
    return new PartitionSet(
        perTask, List.of(new PartitionDivision(single.get().from(), readers, false)));
  }

  private static PartitionSet replicated(PartitionSet divided) {
    return new PartitionSet(
        divided.perTask(),
        divided.divisions().stream()
            .map(division -> new PartitionDivision(division.range(), division.tasks(), true))
            .toList());
  }
}
