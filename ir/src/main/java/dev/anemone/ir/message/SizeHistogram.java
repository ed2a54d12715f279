// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.message;

import java.util.Arrays;
import java.util.Objects;

/**
 * How many bytes fall into each hash partition of a shuffle, as measured by one task or, merged, by
 * all. Immutable and thread-safe; equal when id and sizes are.
 */
public final class SizeHistogram implements Message {

  private final String messageId;
  private final long[] bytes;

  private SizeHistogram(String messageId, long[] bytes) {
    this.messageId = Objects.requireNonNull(messageId, "messageId");
    this.bytes = bytes;
    for (int partition = 0; partition < bytes.length; partition++) {
      if (bytes[partition] < 0) {
        throw new IllegalArgumentException(
            "histogram "
                + messageId
                + " has "
                + bytes[partition]
                + " bytes in partition "
                + partition
                + ", which must not be negative");
      }
    }
  }

  /**
   * A histogram with a copy of the sizes.
   *
   * @param messageId names the message
   * @param bytesPerPartition size of each partition in bytes, none negative
   */
  public static SizeHistogram of(String messageId, long[] bytesPerPartition) {
    return new SizeHistogram(messageId, bytesPerPartition.clone());
  }

  @Override
  public String messageId() {
    return messageId;
  }

  /** Number of partitions. */
  public int partitions() {
    return bytes.length;
  }

  /** Size of one partition in bytes. */
  public long bytes(int partition) {
    return bytes[partition];
  }

  /** Sizes of all partitions in bytes, as a copy. */
  public long[] toArray() {
    return bytes.clone();
  }

  /**
   * The sizes as bytes for a {@link HistogramSum}, without the message id. Partitions without data
   * take no room, the others from two bytes on.
   */
  public byte[] toBytes() {
    return SparseSizes.write(bytes);
  }

  /**
   * Size of all partitions in bytes.
   *
   * @throws ArithmeticException above {@link Long#MAX_VALUE}
   */
  public long totalBytes() {
    long total = 0;
    for (long size : bytes) {
      total = Math.addExact(total, size);
    }
    return total;
  }

  /**
   * The sum of two histograms of the same message.
   *
   * @throws IllegalArgumentException when message id or number of partitions differ
   * @throws ArithmeticException when a partition gets above {@link Long#MAX_VALUE}
   */
  public SizeHistogram merge(SizeHistogram other) {
    if (!messageId.equals(other.messageId) || bytes.length != other.bytes.length) {
      throw new IllegalArgumentException("cannot merge " + this + " with " + other);
    }
    long[] sum = new long[bytes.length];
    for (int partition = 0; partition < sum.length; partition++) {
      sum[partition] = Math.addExact(bytes[partition], other.bytes[partition]);
    }
    return new SizeHistogram(messageId, sum);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SizeHistogram that
        && messageId.equals(that.messageId)
        && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return 31 * messageId.hashCode() + Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return "SizeHistogram[" + messageId + ", " + bytes.length + " partitions]";
  }
}
