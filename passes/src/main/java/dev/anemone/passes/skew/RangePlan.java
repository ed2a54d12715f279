// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.skew;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.message.ShuffleSizes;
import dev.anemone.ir.property.PartitionSet;
import dev.anemone.passes.PassContext;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What is to become of the ranges of a consumer: how many tasks it has, which partitions are
 * divided, and who reads what.
 *
 * @param consumer whose ranges they are
 * @param estimate the bytes by which they are drawn
 * @param division how a partition of the consumer can be divided
 * @param tasks that the consumer will have
 * @param divided the partitions to divide, and into how many shares each
 * @param ranges of the consumer, with the bytes of the estimate; empty when they stay as they are
 * @param recombined what the tasks of the recombiner read, if there is one
 * @param present the bytes of the tasks with the ranges that the consumer has
 */
record RangePlan(
    DrawnConsumer consumer,
    SizeEstimate estimate,
    DivisionMethods.Found division,
    int tasks,
    SortedMap<Integer, Integer> divided,
    Optional<TaskRanges> ranges,
    Optional<TaskRanges> recombined,
    LoadSpread present) {

  /** Ranges are drawn anew if the largest task has this many times what it would have then. */
  private static final double WORTHWHILE = 1.05;

  /**
   * Plans the ranges of the consumer that a message is about.
   *
   * @throws IllegalArgumentException when the message does not fit the graph
   */
  static RangePlan of(IRDag dag, ShuffleSizes message, PassContext context) {
    DrawnConsumer consumer = DrawnConsumer.of(dag, message);
    SizeEstimate estimate = SizeEstimate.of(message);
    int tasks = TaskSizing.tasks(dag, consumer, estimate, context);

    double[] smoothed = estimate.smoothed();
    DivisionMethod drawing = DivisionMethods.of(consumer, smoothed, tasks).method();
    SortedMap<Integer, Integer> divided = DivisionSearch.of(smoothed, tasks, drawing);
    TaskRanges drawn =
        RangeDrawing.draw(DivisionSearch.ofConsumer(smoothed, divided, drawing), tasks)
            .byFallingBytes();

    double[] bytes = estimate.bytes();
    DivisionMethods.Found division = DivisionMethods.of(consumer, bytes, tasks);
    TaskRanges ranges = drawn.of(DivisionSearch.ofConsumer(bytes, divided, division.method()));
    PartitionSet set = consumer.shuffles().get(0).edge().property(PartitionSet.class).orElseThrow();
    LoadSpread present = LoadSpread.of(PartitionLoads.of(set, partition -> bytes[partition]));
    Optional<TaskRanges> recombined =
        recombined(consumer, bytes, divided, division.method(), context);

    double cost = ranges.largest() + recombined.map(TaskRanges::largest).orElse(0.0);
    boolean stays = tasks == consumer.tasks() && present.largest() <= WORTHWHILE * cost;
    if (!stays) {
      return new RangePlan(
          consumer, estimate, division, tasks, divided, Optional.of(ranges), recombined, present);
    }
    SortedMap<Integer, Integer> none = new TreeMap<>();
    return new RangePlan(
        consumer,
        estimate,
        division,
        tasks,
        none,
        Optional.empty(),
        recombined(consumer, bytes, none, division.method(), context),
        present);
  }

  /** A recombiner that may lose tasks keeps as many as have something to do, or one. */
  private static Optional<TaskRanges> recombined(
      DrawnConsumer consumer,
      double[] bytes,
      SortedMap<Integer, Integer> divided,
      DivisionMethod method,
      PassContext context) {
    return consumer
        .recombiner()
        .map(
            recombiner -> {
              int tasks = DrawnConsumer.tasks(recombiner.vertex());
              if (context.resizableVertices().contains(recombiner.vertex().id())) {
                int shares = divided.values().stream().mapToInt(Integer::intValue).sum();
                tasks = Math.max(1, Math.min(tasks, shares));
              }
              Workload work = DivisionSearch.ofAhead(bytes.length, divided, method);
              return RangeDrawing.draw(work, tasks).byFallingBytes();
            });
  }
}
