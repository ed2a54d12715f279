// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.message;

import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * Adds up the histograms of many tasks, one by one as they come, straight from their bytes. Takes
 * eight bytes of memory for each partition, however many tasks there are. Not thread-safe.
 */
public final class HistogramSum {

  private final String messageId;
  private final long[] bytes;

  /**
   * A sum of nothing yet.
   *
   * @param messageId names the message
   * @param partitions how many partitions each histogram has
   */
  public HistogramSum(String messageId, int partitions) {
    this.messageId = Objects.requireNonNull(messageId, "messageId");
    if (partitions < 0) {
      throw new IllegalArgumentException(
          "histogram " + messageId + " cannot have " + partitions + " partitions");
    }
    this.bytes = new long[partitions];
  }

  /**
   * Adds a histogram.
   *
   * @param encoded what {@link SizeHistogram#toBytes} gave, from the buffer's position to its
   *     limit, to which the position moves
   * @throws IllegalArgumentException when it is something else, or of another number of partitions;
   *     the sum is of no use then
   * @throws ArithmeticException when a partition gets above {@link Long#MAX_VALUE}; the sum is of
   *     no use then
   */
  public void add(ByteBuffer encoded) {
    try {
      SparseSizes.add(encoded, bytes);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "cannot add the histogram of a task to " + messageId + ": " + e.getMessage(), e);
    }
  }

  /** What was added so far, as a copy. */
  public SizeHistogram toHistogram() {
    return SizeHistogram.of(messageId, bytes);
  }
}
