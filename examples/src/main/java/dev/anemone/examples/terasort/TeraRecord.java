// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.terasort;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The layout of a record: 100 bytes, the first 10 of which are the key. Keys are ordered by their
 * bytes, taken as unsigned.
 */
final class TeraRecord {
  /** Size of a record in bytes. */
  static final int BYTES = 100;

  /** Size of the key, with which a record begins, in bytes. */
  static final int KEY_BYTES = 10;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);

  private TeraRecord() {}

  /** The first 8 bytes of the key of the record at an offset; unsigned. */
  static long keyHead(byte[] bytes, int offset) {
    return (long) LONG.get(bytes, offset);
  }

  /** The last 2 bytes of the key of the record at an offset, from 0 to 65,535. */
  static int keyTail(byte[] bytes, int offset) {
    return Short.toUnsignedInt((short) SHORT.get(bytes, offset + Long.BYTES));
  }

  /** Compares the keys of two records, each given by an array and an offset. */
  static int compareKeys(byte[] left, int leftOffset, byte[] right, int rightOffset) {
    return Arrays.compareUnsigned(
        left, leftOffset, leftOffset + KEY_BYTES, right, rightOffset, rightOffset + KEY_BYTES);
  }
}
