// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sideinput;

import dev.anemone.beam.operator.step.UserFailures;
import dev.anemone.runtime.spi.RecordCursor;
import dev.anemone.runtime.spi.RecordTable;
import java.io.IOException;
import java.util.AbstractList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.RandomAccess;
import org.apache.beam.sdk.coders.Coder;

/**
 * The values of a range of a table's records, decoded each time that they are asked for. A list, so
 * that Beam's views find elements by their number without going over those before. Immutable; any
 * number of iterations may overlap.
 */
final class TableValues extends AbstractList<Object> implements RandomAccess {

  private final RecordTable table;
  private final long from;
  private final long to;
  private final Coder<Object> coder;

  private TableValues(RecordTable table, long from, long to, Coder<Object> coder) {
    this.table = table;
    this.from = from;
    this.to = to;
    this.coder = coder;
  }

  /** The values of a key. */
  static List<Object> of(RecordTable table, byte[] key, Coder<Object> coder) throws IOException {
    return new TableValues(table, table.rank(key), table.rank(RecordTable.successor(key)), coder);
  }

  @Override
  public int size() {
    return (int) Math.min(Integer.MAX_VALUE, to - from);
  }

  @Override
  public Object get(int index) {
    long rank = from + Objects.checkIndex(index, size());
    RecordCursor cursor = table.records(rank, rank + 1);
    try {
      cursor.next();
      return coder.decode(cursor.value());
    } catch (IOException e) {
      throw UserFailures.passThrough(e);
    }
  }

  @Override
  public List<Object> subList(int start, int end) {
    Objects.checkFromToIndex(start, end, size());
    return new TableValues(table, from + start, from + end, coder);
  }

  @Override
  public Iterator<Object> iterator() {
    return new Values(table.records(from, to));
  }

  private final class Values implements Iterator<Object> {

    private final RecordCursor cursor;
    private long rank = from;

    Values(RecordCursor cursor) {
      this.cursor = cursor;
    }

    @Override
    public boolean hasNext() {
      return rank < to;
    }

    @Override
    public Object next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      rank++;
      try {
        cursor.next();
        return coder.decode(cursor.value());
      } catch (IOException e) {
        throw UserFailures.passThrough(e);
      }
    }
  }
}
