// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.record;

import java.io.InputStream;
import java.util.Arrays;
import java.util.Objects;

/**
 * A stream over a part of an array, which can be pointed at another part without allocation. Not
 * thread-safe.
 */
public final class ByteSlice extends InputStream {

  private byte[] bytes = new byte[0];
  private int start;
  private int position;
  private int end;

  /** Reads {@code bytes} from {@code start} to {@code start + length} from now on. */
  public ByteSlice set(byte[] newBytes, int newStart, int length) {
    Objects.checkFromIndexSize(newStart, length, newBytes.length);
    bytes = newBytes;
    start = newStart;
    position = newStart;
    end = newStart + length;
    return this;
  }

  /** Reads from the start again. */
  public ByteSlice rewind() {
    position = start;
    return this;
  }

  /** The array that the slice is a part of. */
  public byte[] array() {
    return bytes;
  }

  /** Where the slice starts in its array. */
  public int start() {
    return start;
  }

  /** Number of bytes in the slice, read or not. */
  public int length() {
    return end - start;
  }

  /** Compares the bytes of two slices as unsigned numbers. */
  public static int compare(ByteSlice a, ByteSlice b) {
    return Arrays.compareUnsigned(a.bytes, a.start, a.end, b.bytes, b.start, b.end);
  }

  @Override
  public int read() {
    return position < end ? bytes[position++] & 0xff : -1;
  }

  @Override
  public int read(byte[] target, int offset, int count) {
    if (count == 0) {
      return 0;
    }
    int available = end - position;
    if (available == 0) {
      return -1;
    }
    int n = Math.min(available, count);
    System.arraycopy(bytes, position, target, offset, n);
    position += n;
    return n;
  }

  @Override
  public long skip(long count) {
    int n = (int) Math.max(0, Math.min(end - position, count));
    position += n;
    return n;
  }

  @Override
  public int available() {
    return end - position;
  }
}
