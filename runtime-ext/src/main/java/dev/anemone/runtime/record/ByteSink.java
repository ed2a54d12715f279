// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.record;

import java.io.OutputStream;
import java.util.Arrays;

/** A growing array of bytes that is written again and again. Not thread-safe. */
public final class ByteSink extends OutputStream {

  private byte[] bytes = new byte[256];
  private int length;

  @Override
  public void write(int b) {
    if (length == bytes.length) {
      grow(1);
    }
    bytes[length++] = (byte) b;
  }

  @Override
  public void write(byte[] source, int offset, int count) {
    if (count > bytes.length - length) {
      grow(count);
    }
    System.arraycopy(source, offset, bytes, length, count);
    length += count;
  }

  private void grow(int more) {
    int needed = Math.addExact(length, more);
    bytes =
        Arrays.copyOf(bytes, (int) Math.min(Integer.MAX_VALUE - 8, Math.max(needed, 2L * length)));
  }

  /** Forgets what was written; keeps the memory. */
  public void reset() {
    length = 0;
  }

  /** The array that holds the bytes, from 0 to {@link #length()}; valid until the next write. */
  public byte[] array() {
    return bytes;
  }

  /** Number of bytes written since the last reset. */
  public int length() {
    return length;
  }
}
