// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.rel;

import java.io.Serializable;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Arrays;
import java.util.List;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.CoderException;
import org.apache.beam.sdk.util.CoderUtils;
import org.apache.beam.sdk.values.Row;
import org.joda.time.ReadableInstant;

/**
 * The columns by which one side of a join is matched. Values that SQL calls equal give equal keys:
 * integers of any width, decimals of any scale, both zeros of a float. A row with a null in a
 * column that must be equal matches nothing, and has no key.
 *
 * <p>Not thread-safe, as it reuses a buffer.
 */
final class JoinKeys implements Serializable {

  private static final long serialVersionUID = 1L;

  private static final byte NULL = 0;
  private static final byte INTEGER = 1;
  private static final byte DECIMAL = 2;
  private static final byte FLOAT = 3;
  private static final byte STRING = 4;
  private static final byte BOOLEAN = 5;
  private static final byte BYTES = 6;
  private static final byte TIME = 7;

  /** Begins the key of a row that matches nothing. */
  private static final byte UNMATCHED = -1;

  private final int[] columns;
  private final boolean[] nullMatches;

  private transient ByteBuffer buffer;

  /**
   * Columns.
   *
   * @param nullMatches for each column, whether a null matches a null ({@code IS NOT DISTINCT
   *     FROM}) or nothing ({@code =})
   */
  JoinKeys(List<Integer> columns, List<Boolean> nullMatches) {
    this.columns = columns.stream().mapToInt(Integer::intValue).toArray();
    this.nullMatches = new boolean[this.columns.length];
    for (int i = 0; i < this.columns.length; i++) {
      this.nullMatches[i] = nullMatches.get(i);
    }
  }

  /** Whether there is one. */
  boolean hasColumns() {
    return columns.length > 0;
  }

  /** Whether the row can match any. */
  boolean isPresent(Row row) {
    for (int i = 0; i < columns.length; i++) {
      if (!nullMatches[i] && row.getValue(columns[i]) == null) {
        return false;
      }
    }
    return true;
  }

  /** The key of a row that has one, as an object with {@code equals} and {@code hashCode}. */
  Object value(Row row) {
    if (columns.length == 1) {
      return canonical(row.getValue(columns[0]));
    }
    Object[] values = new Object[columns.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = canonical(row.getValue(columns[i]));
    }
    return Arrays.asList(values);
  }

  /** The key of a row that has one, in bytes. */
  byte[] bytes(Row row) {
    start();
    for (int column : columns) {
      put(canonical(row.getValue(column)));
    }
    return finish();
  }

  /**
   * A key for a row that matches nothing. Such rows are spread by a hash of their bytes: that of
   * the values is another one in each attempt of a task where a value is an array.
   */
  byte[] unmatchedBytes(Row row, Coder<Row> coder) {
    byte[] content;
    try {
      content = CoderUtils.encodeToByteArray(coder, row);
    } catch (CoderException notEncoded) {
      throw new IllegalArgumentException("A row is not of the table's schema: " + row, notEncoded);
    }
    start();
    buffer.put(UNMATCHED);
    buffer.putInt(Arrays.hashCode(content));
    return finish();
  }

  static boolean isUnmatched(byte[] key) {
    return key.length > 0 && key[0] == UNMATCHED;
  }

  private static Object canonical(Object value) {
    if (value instanceof String || value instanceof Long || value == null) {
      return value;
    }
    if (value instanceof Integer || value instanceof Short || value instanceof Byte) {
      return ((Number) value).longValue();
    }
    if (value instanceof BigDecimal decimal) {
      return decimal.stripTrailingZeros();
    }
    if (value instanceof Double || value instanceof Float) {
      return ((Number) value).doubleValue() + 0.0;
    }
    if (value instanceof ReadableInstant instant) {
      return instant.getMillis();
    }
    return value instanceof byte[] bytes ? ByteBuffer.wrap(bytes) : value;
  }

  private void put(Object value) {
    if (value == null) {
      buffer.put(NULL);
    } else if (value instanceof Long integer) {
      buffer.put(INTEGER).putLong(integer);
    } else if (value instanceof String text) {
      putBytes(STRING, text.getBytes(StandardCharsets.UTF_8));
    } else if (value instanceof LocalDate date) {
      buffer.put(TIME).putLong(date.toEpochDay());
    } else if (value instanceof BigDecimal decimal) {
      buffer.put(DECIMAL).putInt(decimal.scale());
      putBytes(DECIMAL, decimal.unscaledValue().toByteArray());
    } else if (value instanceof Double number) {
      buffer.put(FLOAT).putLong(Double.doubleToLongBits(number));
    } else if (value instanceof Boolean truth) {
      buffer.put(BOOLEAN).put(truth ? (byte) 1 : 0);
    } else if (value instanceof ByteBuffer bytes) {
      byte[] content = new byte[bytes.remaining()];
      bytes.duplicate().get(content);
      putBytes(BYTES, content);
    } else if (value instanceof LocalTime time) {
      buffer.put(TIME).putLong(time.toNanoOfDay());
    } else if (value instanceof LocalDateTime time) {
      buffer
          .put(TIME)
          .putLong(time.toLocalDate().toEpochDay())
          .putLong(time.toLocalTime().toNanoOfDay());
    } else {
      throw new IllegalStateException(
          "A join by values of " + value.getClass() + " is impossible.");
    }
    ensure();
  }

  private void putBytes(byte type, byte[] bytes) {
    if (buffer.remaining() < bytes.length + ROOM) {
      buffer =
          ByteBuffer.allocate(2 * (buffer.position() + bytes.length + ROOM)).put(buffer.flip());
    }
    buffer.put(type).putInt(bytes.length).put(bytes);
  }

  /** More than any value takes that is not bytes or text. */
  private static final int ROOM = 32;

  private void start() {
    if (buffer == null) {
      buffer = ByteBuffer.allocate(2 * ROOM);
    }
    buffer.clear();
  }

  private void ensure() {
    if (buffer.remaining() < ROOM) {
      buffer = ByteBuffer.allocate(2 * buffer.capacity()).put(buffer.flip());
    }
  }

  private byte[] finish() {
    return Arrays.copyOf(buffer.array(), buffer.position());
  }
}
