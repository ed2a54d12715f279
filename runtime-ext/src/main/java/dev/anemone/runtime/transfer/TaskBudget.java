// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer;

import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.stage.Link;
import dev.anemone.runtime.stage.StagePlan;
import dev.anemone.runtime.table.RecordTables;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The off-heap memory of a task when no other job runs.
 *
 * @param taskBytes bytes of pages that the links of a task may have
 * @param aggregationBytes bytes of pages that an aggregation task may have
 * @param tableBytes bytes of pages in which a task may sort a table
 * @param afterAggregations what is different for tasks that run when all aggregations have ended
 */
public record TaskBudget(
    long taskBytes, long aggregationBytes, long tableBytes, AfterAggregations afterAggregations) {

  /**
   * Tasks that have the memory of the aggregations, too.
   *
   * @param taskBytes bytes of pages that the links of such a task may have
   * @param stages the names of their stages
   */
  public record AfterAggregations(long taskBytes, Set<String> stages) {

    public AfterAggregations {
      stages = Set.copyOf(stages);
    }
  }

  /** Links need memory all the time, tables only while they are made. */
  private static final int TABLE_SHARES = 8;

  static final long LEAST_AGGREGATION_BYTES = 8L * PagePool.PAGE_BYTES;

  /**
   * Divides the memory of a task between its links and the table that it may be sorting.
   *
   * @param bytes bytes of pages for both
   */
  public static TaskBudget of(long bytes, long aggregationBytes) {
    long tableBytes = Math.max(RecordTables.LEAST_BYTES, bytes / TABLE_SHARES);
    return new TaskBudget(bytes - tableBytes, aggregationBytes, tableBytes);
  }

  /** One for tasks all of which may run beside aggregations. */
  TaskBudget(long taskBytes, long aggregationBytes, long tableBytes) {
    this(taskBytes, aggregationBytes, tableBytes, new AfterAggregations(taskBytes, Set.of()));
  }

  /**
   * Divides the memory of the slots of a process in which all tasks of a job run.
   *
   * @param bytes bytes of pages for all of them
   * @param slots tasks that run at a time, without aggregations
   * @param plans of the job
   */
  public static TaskBudget ofSlots(long bytes, int slots, List<StagePlan> plans) {
    int aggregations =
        plans.stream()
            .filter(StagePlan::isAggregation)
            .mapToInt(plan -> plan.stage().parallelism())
            .sum();
    if (aggregations == 0) {
      return of(bytes / slots, 0);
    }
    // What pushes and what takes it need memory at the same time: one half for either side.
    long forAggregations = bytes / 2;
    TaskBudget beside = of((bytes - forAggregations) / slots, forAggregations / aggregations);
    return new TaskBudget(
        beside.taskBytes,
        beside.aggregationBytes,
        beside.tableBytes,
        new AfterAggregations(bytes / slots - beside.tableBytes, afterAll(plans)));
  }

  /** The stages whose tasks begin when all aggregations of the job have ended. */
  private static Set<String> afterAll(List<StagePlan> plans) {
    Map<String, StagePlan> byName = new HashMap<>();
    plans.forEach(plan -> byName.put(plan.stage().name(), plan));
    Set<String> aggregations = new HashSet<>();
    plans.stream()
        .filter(StagePlan::isAggregation)
        .forEach(plan -> aggregations.add(plan.stage().name()));
    Set<String> after = new HashSet<>();
    for (StagePlan plan : plans) {
      boolean awaits =
          plan.inputs().stream()
              .allMatch(link -> link.awaitsAllProducers() || !aggregations.contains(link.peer()));
      if (awaits && before(plan, byName).containsAll(aggregations)) {
        after.add(plan.stage().name());
      }
    }
    return after;
  }

  /** The stages that a stage has its input from, directly or not. */
  private static Set<String> before(StagePlan plan, Map<String, StagePlan> byName) {
    Set<String> before = new HashSet<>();
    Deque<StagePlan> left = new ArrayDeque<>(List.of(plan));
    while (!left.isEmpty()) {
      for (Link link : left.remove().inputs()) {
        if (before.add(link.peer())) {
          left.add(byName.get(link.peer()));
        }
      }
    }
    return before;
  }

  /** Bytes of pages that the links of a task of a stage may have, which is no aggregation. */
  long taskBytesOf(StagePlan plan) {
    return afterAggregations.stages().contains(plan.stage().name())
        ? afterAggregations.taskBytes()
        : taskBytes;
  }

  /** What a task of a stage cannot do without, with the table that it may be sorting. */
  public static long leastBytes(StagePlan plan) {
    return plan.isAggregation()
        ? LEAST_AGGREGATION_BYTES
        : MemoryShares.leastBytes(plan) + RecordTables.LEAST_BYTES;
  }

  /**
   * Checks that tasks of a stage have the memory that they cannot do without.
   *
   * @throws IllegalArgumentException when they do not; says how much they need
   */
  public void requireEnough(StagePlan plan) {
    if (!plan.isAggregation()) {
      MemoryShares.of(plan, taskBytesOf(plan));
    } else if (aggregationBytes < LEAST_AGGREGATION_BYTES) {
      throw new IllegalArgumentException(
          "an aggregation task of "
              + plan.stage().name()
              + " needs "
              + LEAST_AGGREGATION_BYTES
              + " bytes of off-heap memory, but may have "
              + aggregationBytes
              + "; give the job more by --offHeapMemoryMb or, on YARN, --executorMemoryMb, or use fewer"
              + " aggregation tasks");
    }
  }
}
