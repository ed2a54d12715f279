// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.row;

import java.io.Serializable;
import java.util.List;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.values.Row;

/** Takes keys out of rows. Immutable and thread-safe. */
public final class RowKeyFactory implements Serializable {
  private static final long serialVersionUID = 1;

  private final int[] fields;
  private final KeyColumn[] columns;

  /**
   * Keys of some columns.
   *
   * @param schema of the rows
   * @param fields indexes of the columns
   * @throws IllegalArgumentException if rows cannot be grouped by a column, see {@link #supports}
   */
  public RowKeyFactory(Schema schema, List<Integer> fields) {
    this.fields = fields.stream().mapToInt(Integer::intValue).toArray();
    this.columns =
        fields.stream()
            .map(field -> KeyColumn.of(schema.getField(field).getType()))
            .toArray(KeyColumn[]::new);
  }

  /** Whether rows can be grouped by some of their columns. */
  public static boolean supports(Schema schema, List<Integer> fields) {
    return fields.stream().allMatch(field -> KeyColumn.supports(schema.getField(field).getType()));
  }

  /** The key of a row. */
  public RowKey key(Row row) {
    Object[] values = new Object[fields.length];
    for (int i = 0; i < fields.length; i++) {
      Object value = row.getValue(fields[i]);
      values[i] = value == null ? null : columns[i].normalized(value);
    }
    return new RowKey(values);
  }
}
