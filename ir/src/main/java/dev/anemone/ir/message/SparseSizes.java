// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.message;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/**
 * Sizes of partitions as bytes: their number, then for each that is not empty, in order, how many
 * empty ones come before it and its size. All are varints: seven bits a byte, the lowest first, the
 * eighth bit set in all but the last byte.
 */
final class SparseSizes {

  /** Bytes of the longest varint: 63 bits, since nothing is negative. */
  private static final int LONGEST = 9;

  private SparseSizes() {}

  /** The sizes as bytes; none may be negative. */
  static byte[] write(long[] sizes) {
    int length = varintBytes(sizes.length);
    int gap = 0;
    for (long size : sizes) {
      if (size == 0) {
        gap++;
      } else {
        length = Math.addExact(length, varintBytes(gap) + varintBytes(size));
        gap = 0;
      }
    }
    ByteBuffer out = ByteBuffer.allocate(length);
    putVarint(out, sizes.length);
    gap = 0;
    for (long size : sizes) {
      if (size == 0) {
        gap++;
      } else {
        putVarint(out, gap);
        putVarint(out, size);
        gap = 0;
      }
    }
    return out.array();
  }

  /**
   * Adds sizes to others, straight from their bytes.
   *
   * @param in read from its position to its limit
   * @param sums a sum for each partition; of no use after an exception
   * @throws IllegalArgumentException when the bytes are not what {@link #write} made of as many
   *     partitions
   * @throws ArithmeticException when a sum gets above {@link Long#MAX_VALUE}
   */
  static void add(ByteBuffer in, long[] sums) {
    int start = in.position();
    try {
      long partitions = getVarint(in);
      if (partitions != sums.length) {
        throw new IllegalArgumentException(
            "it is of " + partitions + " partitions, not " + sums.length);
      }
      int next = 0;
      while (in.hasRemaining()) {
        long gap = getVarint(in);
        if (gap >= sums.length - next) {
          throw new IllegalArgumentException(
              gap + " empty partitions from " + next + " on are too many");
        }
        int partition = next + (int) gap;
        sums[partition] = Math.addExact(sums[partition], getVarint(in));
        next = partition + 1;
      }
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException(
          "it is cut off after " + (in.limit() - start) + " bytes", e);
    }
  }

  private static int varintBytes(long value) {
    return Math.max(1, (Long.SIZE - Long.numberOfLeadingZeros(value) + 6) / 7);
  }

  private static void putVarint(ByteBuffer out, long value) {
    long rest = value;
    while (rest > 0x7f) {
      out.put((byte) (rest | 0x80));
      rest >>>= 7;
    }
    out.put((byte) rest);
  }

  private static long getVarint(ByteBuffer in) {
    long value = 0;
    for (int shift = 0; shift < 7 * LONGEST; shift += 7) {
      byte next = in.get();
      value |= (long) (next & 0x7f) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw new IllegalArgumentException(
        "the number before byte " + in.position() + " has more than " + LONGEST + " bytes");
  }
}
