// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.tables;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Finds bytes in an array, eight at a time, without a branch for each byte. The tests for zero
 * bytes are those of Warren, Hacker's Delight, section 6-1.
 */
final class ByteSearch {
  /** Which byte is the lowest must not depend on the machine. */
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long LOW_BITS = 0x0101010101010101L;
  private static final long HIGH_BITS = 0x8080808080808080L;

  private ByteSearch() {}

  /** Index of the first such byte in a range; {@code end} if there is none. */
  static int indexOf(byte value, byte[] bytes, int from, int end) {
    long pattern = (value & 0xffL) * LOW_BITS;
    int index = from;
    // What lies behind the range may be read, but is not found.
    for (; index < end && index <= bytes.length - Long.BYTES; index += Long.BYTES) {
      long different = (long) LONGS.get(bytes, index) ^ pattern;
      // May mark bytes above the lowest zero as well.
      long zeros = (different - LOW_BITS) & ~different & HIGH_BITS;
      if (zeros != 0) {
        return Math.min(end, index + Long.numberOfTrailingZeros(zeros) / Byte.SIZE);
      }
    }
    for (; index < end; index++) {
      if (bytes[index] == value) {
        return index;
      }
    }
    return end;
  }

  /**
   * Index behind the n-th such byte in a range; behind {@code end} if there are fewer.
   *
   * @param n at least 0, for {@code from} itself
   */
  static int behind(byte value, int n, byte[] bytes, int from, int end) {
    long pattern = (value & 0xffL) * LOW_BITS;
    int left = n;
    int index = from;
    for (; left > 0 && index < end && index <= bytes.length - Long.BYTES; index += Long.BYTES) {
      long zeros = zeros((long) LONGS.get(bytes, index) ^ pattern);
      int found = Long.bitCount(zeros);
      if (found >= left) {
        for (; left > 1; left--) {
          zeros &= zeros - 1;
        }
        return Math.min(end, index + Long.numberOfTrailingZeros(zeros) / Byte.SIZE) + 1;
      }
      left -= found;
    }
    for (; left > 0 && index < end; index++) {
      left -= bytes[index] == value ? 1 : 0;
    }
    return left == 0 ? index : end + 1;
  }

  /** The highest bit of each zero byte, and no other. */
  private static long zeros(long word) {
    return ~(((word & ~HIGH_BITS) + ~HIGH_BITS) | word | ~HIGH_BITS);
  }

  /** How many such bytes are in a range. */
  static int count(byte value, byte[] bytes, int from, int end) {
    int count = 0;
    for (int index = from; index < end; index++) {
      count += bytes[index] == value ? 1 : 0;
    }
    return count;
  }
}
