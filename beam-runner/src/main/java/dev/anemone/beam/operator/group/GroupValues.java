// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.group;

import dev.anemone.runtime.spi.KeyGroup.ReplayableValues;
import dev.anemone.runtime.spi.ValueCursor;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * The values of a group that is too large to be held as objects. Each iteration decodes them anew;
 * any number of iterations may be under way. Ends with the group: a function that wants values
 * later must copy them.
 */
final class GroupValues implements Iterable<Object> {

  private final ReplayableValues values;
  private final Reader reader;
  private boolean ended;

  /** Reads one value from its bytes. */
  @FunctionalInterface
  interface Reader {

    /** What {@link #read} gives for a value that is to be left out. */
    Object SKIPPED = new Object();

    Object read(InputStream value) throws IOException;
  }

  GroupValues(ReplayableValues values, Reader reader) {
    this.values = values;
    this.reader = reader;
  }

  /** The group is over, and so are all iterations. */
  void end() {
    ended = true;
  }

  @Override
  public Iterator<Object> iterator() {
    try {
      return new Decoding(values.cursor());
    } catch (IOException e) {
      throw new UncheckedIOException("the values of a group cannot be read", e);
    }
  }

  private final class Decoding implements Iterator<Object> {

    private final ValueCursor cursor;
    private Object next = Reader.SKIPPED;
    private boolean exhausted;

    Decoding(ValueCursor cursor) {
      this.cursor = cursor;
    }

    @Override
    public boolean hasNext() {
      if (next != Reader.SKIPPED) {
        return true;
      }
      if (exhausted) {
        return false;
      }
      if (ended) {
        throw new IllegalStateException(
            "The values of a large group can be read only while the group is being processed. Copy"
                + " what is needed later.");
      }
      try {
        while (cursor.next()) {
          next = reader.read(cursor.value());
          if (next != Reader.SKIPPED) {
            return true;
          }
        }
      } catch (IOException e) {
        throw new UncheckedIOException("the values of a group cannot be read", e);
      }
      exhausted = true;
      return false;
    }

    @Override
    public Object next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      Object value = next;
      next = Reader.SKIPPED;
      return value;
    }
  }
}
