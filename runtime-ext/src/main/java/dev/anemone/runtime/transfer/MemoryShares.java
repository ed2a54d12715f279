// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer;

import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.stage.StagePlan;
import dev.anemone.runtime.stage.Transfer;

/**
 * Divides the pages of a task among its links: a few for each input that is only streamed, equal
 * shares of the rest for the inputs that are merged and for the outputs.
 *
 * @param streamBytes for an input that is not grouped
 * @param shareBytes for a grouped input, and for an output
 */
record MemoryShares(long streamBytes, long shareBytes) {

  private static final int STREAM_PAGES = 3;

  /** Below this, a link cannot sort, merge and compress. */
  private static final int LEAST_SHARE_PAGES = 8;

  /**
   * The shares of the links of a stage.
   *
   * @throws IllegalArgumentException when the budget is too small for so many links
   */
  static MemoryShares of(StagePlan plan, long taskBytes) {
    long streams = streams(plan);
    long sharers = sharers(plan);
    long streamBytes = (long) STREAM_PAGES * PagePool.PAGE_BYTES;
    long rest = taskBytes - streams * streamBytes;
    long share = sharers == 0 ? rest : rest / sharers;
    long least = sharers == 0 ? 0 : (long) LEAST_SHARE_PAGES * PagePool.PAGE_BYTES;
    if (share < least) {
      throw new IllegalArgumentException(
          "a task of "
              + plan.stage().name()
              + " has "
              + sharers
              + " links that sort and "
              + streams
              + " that do not, and needs "
              + leastBytes(plan)
              + " bytes of off-heap memory for them, but may have "
              + taskBytes
              + "; give the job more by --offHeapMemoryMb or, on YARN, --executorMemoryMb, or fewer"
              + " --slots");
    }
    return new MemoryShares(streamBytes, share);
  }

  /** The smallest budget of a task of the stage, at least a page. */
  static long leastBytes(StagePlan plan) {
    long pages = sharers(plan) * LEAST_SHARE_PAGES + streams(plan) * STREAM_PAGES;
    return Math.max(1, pages) * PagePool.PAGE_BYTES;
  }

  private static long streams(StagePlan plan) {
    return plan.inputs().stream().filter(link -> link.transfer() != Transfer.GROUPED).count();
  }

  private static long sharers(StagePlan plan) {
    long written = plan.outputs().stream().filter(link -> link.aliasOf().isEmpty()).count();
    return plan.inputs().size() - streams(plan) + written;
  }
}
