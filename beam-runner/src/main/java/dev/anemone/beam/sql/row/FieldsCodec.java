// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.row;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import org.apache.beam.sdk.schemas.Schema.FieldType;

/**
 * Codes the values of a row: a bitmap that says which are NULL, then the others by their {@link
 * ColumnCodec}s. Where no column is nullable there is no bitmap. Thread-safe.
 */
final class FieldsCodec {
  private final ColumnCodec[] columns;
  private final int bitmapBytes;

  FieldsCodec(List<FieldType> types) {
    columns = types.stream().map(ColumnCodec::of).toArray(ColumnCodec[]::new);
    boolean nullable = types.stream().anyMatch(FieldType::getNullable);
    bitmapBytes = nullable ? (columns.length + 7) / 8 : 0;
  }

  /** Takes values by their index. */
  @FunctionalInterface
  interface Values {
    Object get(int index);
  }

  void write(Values values, OutputStream out) throws IOException {
    for (int i = 0; i < bitmapBytes; i++) {
      int bits = 0;
      for (int column = i * 8; column < Math.min(columns.length, i * 8 + 8); column++) {
        bits |= values.get(column) == null ? 1 << (column & 7) : 0;
      }
      out.write(bits);
    }
    for (int column = 0; column < columns.length; column++) {
      Object value = values.get(column);
      if (value != null) {
        columns[column].write(value, out);
      } else if (bitmapBytes == 0) {
        throw new IOException("column " + column + " is not nullable, but a row has NULL in it");
      }
    }
  }

  Object[] read(InputStream in) throws IOException {
    long[] nulls = new long[(bitmapBytes + 7) / 8];
    for (int i = 0; i < bitmapBytes; i++) {
      long bits = in.read();
      if (bits < 0) {
        throw new EOFException("a row ends within its bitmap");
      }
      nulls[i >> 3] |= bits << (8 * (i & 7));
    }
    Object[] values = new Object[columns.length];
    for (int column = 0; column < columns.length; column++) {
      boolean isNull = bitmapBytes > 0 && (nulls[column >> 6] >>> (column & 63) & 1) != 0;
      values[column] = isNull ? null : columns[column].read(in);
    }
    return values;
  }
}
