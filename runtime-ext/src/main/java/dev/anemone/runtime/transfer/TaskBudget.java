// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer;

import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.stage.StagePlan;
import dev.anemone.runtime.table.RecordTables;

/**
 * The off-heap memory of a task when no other job runs.
 *
 * @param taskBytes bytes of pages that the links of a task may have
 * @param aggregationBytes bytes of pages that an aggregation task may have
 * @param tableBytes bytes of pages in which a task may sort a table
 */
public record TaskBudget(long taskBytes, long aggregationBytes, long tableBytes) {

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
      MemoryShares.of(plan, taskBytes);
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
