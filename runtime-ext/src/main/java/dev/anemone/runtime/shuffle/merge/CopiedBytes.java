// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.merge;

import dev.anemone.runtime.record.ByteSlice;
import dev.anemone.runtime.record.HeapRoom;
import dev.anemone.runtime.shuffle.format.RunCursor;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A copy of bytes on the heap, in memory that is used again for the next. Not thread-safe. */
public final class CopiedBytes {

  private static final int LONGEST_ARRAY = Integer.MAX_VALUE - 8;
  private static final byte[] NOTHING = new byte[0];

  private final ByteSlice slice = new ByteSlice();
  private byte[] bytes = new byte[256];
  private int length;

  /** Copies bytes from absolute positions of a buffer in place of those that are here. */
  public void copy(ByteBuffer source, int start, int newLength) {
    if (newLength > bytes.length) {
      bytes = new byte[(int) Math.min(LONGEST_ARRAY, newLength + (long) (newLength >>> 1))];
    }
    source.get(start, bytes, 0, newLength);
    length = newLength;
  }

  /** Copies the value that a cursor stands on; of a divided record all parts. */
  public void copyValue(RunCursor run) throws IOException {
    int here = run.recordEnd() - run.valueStart();
    if (here == run.valueLength()) {
      copy(run.buffer(), run.valueStart(), here);
      return;
    }
    length = run.valueLength();
    if (length > bytes.length) {
      // Not both at a time, and not a byte more than needed: it may be much of the heap.
      bytes = NOTHING;
      HeapRoom.require(length);
      bytes = new byte[length];
    }
    run.buffer().get(run.valueStart(), bytes, 0, here);
    while (run.nextPart()) {
      int part = run.recordEnd() - run.recordStart();
      run.buffer().get(run.recordStart(), bytes, here, part);
      here += part;
    }
  }

  /** The array whose first {@link #length} bytes are the copy. */
  public byte[] array() {
    return bytes;
  }

  public int length() {
    return length;
  }

  /** A slice of all the bytes but the first few, at its start; always the same object. */
  public ByteSlice sliceFrom(int start) {
    return slice.set(bytes, start, length - start);
  }
}
