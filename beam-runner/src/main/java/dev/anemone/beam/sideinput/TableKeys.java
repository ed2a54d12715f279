// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sideinput;

import dev.anemone.beam.operator.step.UserFailures;
import dev.anemone.runtime.record.ByteSink;
import dev.anemone.runtime.record.ByteSlice;
import dev.anemone.runtime.spi.RecordCursor;
import java.io.IOException;
import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.beam.sdk.coders.Coder;

/** The different keys of a pass over the records of one window. Used by one thread. */
final class TableKeys implements Iterator<Object> {

  private final RecordCursor cursor;
  private final int windowBytes;
  private final Coder<Object> coder;
  private final ByteSink current = new ByteSink();
  private final ByteSlice slice = new ByteSlice();
  private boolean before = true;
  private boolean hasNext;

  /**
   * The keys.
   *
   * @param windowBytes bytes of the window in front of each
   */
  TableKeys(RecordCursor cursor, int windowBytes, Coder<Object> coder) {
    this.cursor = cursor;
    this.windowBytes = windowBytes;
    this.coder = coder;
  }

  @Override
  public boolean hasNext() {
    if (before) {
      before = false;
      advance();
    }
    return hasNext;
  }

  @Override
  public Object next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    try {
      slice.set(current.array(), windowBytes, current.length() - windowBytes);
      Object key = coder.decode(slice);
      before = true;
      return key;
    } catch (IOException e) {
      throw UserFailures.passThrough(e);
    }
  }

  /** Goes on to a record with another key than the current one. */
  private void advance() {
    try {
      do {
        hasNext = cursor.next();
      } while (hasNext && !isOther());
    } catch (IOException e) {
      throw UserFailures.passThrough(e);
    }
  }

  private boolean isOther() throws IOException {
    byte[] key = cursor.key().readAllBytes();
    if (Arrays.equals(key, 0, key.length, current.array(), 0, current.length())) {
      return false;
    }
    current.reset();
    current.write(key, 0, key.length);
    return true;
  }
}
