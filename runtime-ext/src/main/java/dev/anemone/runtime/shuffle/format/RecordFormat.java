// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.format;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The bytes of a record as they lie in a chunk: the length of the key, the length of the value, key
 * and value. A length is a varint: seven bits per byte, the lowest first, and the high bit set in
 * all bytes but the last, as in Protocol Buffers. All positions are absolute; buffers are
 * big-endian, and their position and limit are neither used nor moved.
 */
public final class RecordFormat {

  /** The most bytes that a record may have, so that one with its compressed copy has an address. */
  public static final int MAX_RECORD_BYTES = 1_000_000_000;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private RecordFormat() {}

  /** Bytes of an encoded record; as a long, since the sum may be more than an array holds. */
  public static long size(int keyLength, int valueLength) {
    return (long) varintSize(keyLength) + varintSize(valueLength) + keyLength + valueLength;
  }

  /** Encodes a record at a position, where {@link #size} bytes must be free. */
  public static void write(
      ByteBuffer target, int start, byte[] key, int keyLength, byte[] value, int valueLength) {
    int keyStart = writeLengths(target, start, keyLength, valueLength);
    target.put(keyStart, key, 0, keyLength);
    target.put(keyStart + keyLength, value, 0, valueLength);
  }

  /** Writes what stands before a key, and gives the position behind it. */
  public static int writeLengths(ByteBuffer target, int start, int keyLength, int valueLength) {
    return putVarint(target, putVarint(target, start, keyLength), valueLength);
  }

  /** Writes a varint, and gives the position behind it. */
  static int putVarint(ByteBuffer target, int start, int value) {
    int position = start;
    int rest = value;
    while (rest >>> 7 != 0) {
      target.put(position++, (byte) (rest | 0x80));
      rest >>>= 7;
    }
    target.put(position++, (byte) rest);
    return position;
  }

  /**
   * Reads a varint; the position behind it is {@code start} plus its {@link #varintSize}. Of bytes
   * that are no varint it reads five at most.
   */
  public static int varint(ByteBuffer source, int start) {
    int first = source.get(start);
    return first >= 0 ? first : longVarint(source, start, first);
  }

  private static int longVarint(ByteBuffer source, int start, int first) {
    int value = first & 0x7f;
    for (int shift = 7, position = start + 1; shift < 35; shift += 7, position++) {
      int next = source.get(position);
      value |= (next & 0x7f) << shift;
      if (next >= 0) {
        break;
      }
    }
    return value;
  }

  /** Bytes of a varint, from 1 to 5. */
  public static int varintSize(int value) {
    return value >>> 7 == 0 ? 1 : (38 - Integer.numberOfLeadingZeros(value)) / 7;
  }

  /** The first eight bytes of a key as a big-endian number, zeros where it is shorter. */
  public static long prefix(byte[] key, int length) {
    if (length >= Long.BYTES) {
      return (long) LONGS.get(key, 0);
    }
    if (key.length >= Long.BYTES && length > 0) {
      return (long) LONGS.get(key, 0) & (-1L << (Long.SIZE - Byte.SIZE * length));
    }
    long prefix = 0;
    for (int i = 0; i < length; i++) {
      prefix |= (key[i] & 0xffL) << (56 - 8 * i);
    }
    return prefix;
  }

  /** Up to eight bytes from a position as a big-endian number, zeros where they are fewer. */
  public static long prefix(ByteBuffer source, int start, int length) {
    if (length >= Long.BYTES) {
      return source.getLong(start);
    }
    long prefix = 0;
    for (int i = 0; i < length; i++) {
      prefix |= (source.get(start + i) & 0xffL) << (56 - 8 * i);
    }
    return prefix;
  }

  /** Compares bytes as unsigned numbers, the shorter first where it is the start of the longer. */
  public static int compare(
      ByteBuffer a, int aStart, int aLength, ByteBuffer b, int bStart, int bLength) {
    int common = Math.min(aLength, bLength);
    int i = 0;
    for (; i <= common - Long.BYTES; i += Long.BYTES) {
      long left = a.getLong(aStart + i);
      long right = b.getLong(bStart + i);
      if (left != right) {
        return Long.compareUnsigned(left, right);
      }
    }
    for (; i < common; i++) {
      int order = Byte.compareUnsigned(a.get(aStart + i), b.get(bStart + i));
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(aLength, bLength);
  }
}
