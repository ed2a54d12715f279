// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer.announcement;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.Objects;

/**
 * How announcements code numbers, texts and sets. The master has those of all tasks in memory, so
 * they are short; what reads them goes over the bytes once and makes no streams.
 */
final class CompactBytes {

  private CompactBytes() {}

  /** Seven bits in a byte, the lowest first, as most numbers are small. */
  static void write(int number, DataOutputStream out) throws IOException {
    int left = number;
    for (; (left & ~0x7f) != 0; left >>>= 7) {
      out.writeByte(left | 0x80);
    }
    out.writeByte(left);
  }

  static int readInt(ByteBuffer in) {
    int number = 0;
    for (int shift = 0; shift < Integer.SIZE; shift += 7) {
      byte next = in.get();
      number |= (next & 0x7f) << shift;
      if (next >= 0) {
        return number;
      }
    }
    throw new IndexOutOfBoundsException("a number that has no end");
  }

  static void write(String text, DataOutputStream out) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    write(bytes.length, out);
    out.write(bytes);
  }

  static String readString(ByteBuffer in) {
    byte[] bytes = new byte[checkedLength(in, readInt(in))];
    in.get(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /**
   * A set as its bits, or where that is shorter as the lengths of runs: of what is not in it, of
   * what is, and so on. Mostly a producer has something for all partitions, or for few.
   */
  static void write(BitSet set, DataOutputStream out) throws IOException {
    byte[] bits = set.toByteArray();
    byte[] runs = runs(set, bits.length);
    write(runs.length < bits.length ? runs.length << 1 | 1 : bits.length << 1, out);
    out.write(runs.length < bits.length ? runs : bits);
  }

  /** The runs of a set; when they take too many bytes, so many of these. */
  private static byte[] runs(BitSet set, int tooMany) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    int end = 0;
    for (int from = set.nextSetBit(0); from >= 0 && out.size() < tooMany; ) {
      write(from - end, out);
      end = set.nextClearBit(from);
      write(end - from, out);
      from = set.nextSetBit(end);
    }
    return bytes.toByteArray();
  }

  static BitSet readBits(ByteBuffer in) {
    int head = readInt(in);
    int length = checkedLength(in, head >>> 1);
    ByteBuffer bytes = in.slice(in.position(), length);
    in.position(in.position() + length);
    if ((head & 1) == 0) {
      return BitSet.valueOf(bytes);
    }
    BitSet set = new BitSet();
    int end = 0;
    while (bytes.hasRemaining()) {
      int from = end + readInt(bytes);
      end = from + readInt(bytes);
      set.set(from, end);
    }
    return set;
  }

  private static int checkedLength(ByteBuffer in, int length) {
    return Objects.checkFromIndexSize(0, length, in.remaining()) + length;
  }
}
