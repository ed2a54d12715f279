// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.schema;

import dev.anemone.beam.schema.PartColumns.Column;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.values.Row;

/** Where a field's value comes from, of the columns of a query. */
sealed interface FieldSource extends Serializable permits FieldSource.Value, FieldSource.Inner {

  /** The value in a row of columns. */
  Object of(Row columns);

  /** A value of a column. */
  record Value(int column, Reading reading) implements FieldSource {
    @Override
    public Object of(Row columns) {
      return reading.of(columns.getValue(column));
    }
  }

  /**
   * A row.
   *
   * @param presence the column that is null where the row is, -1 if it is always there
   */
  record Inner(Schema schema, List<FieldSource> fields, int presence) implements FieldSource {
    public Inner {
      fields = List.copyOf(fields);
    }

    @Override
    public Object of(Row columns) {
      return presence >= 0 && columns.getValue(presence) == null
          ? null
          : row(schema, fields, columns);
    }
  }

  /** A row of a schema out of one of columns. */
  static Row row(Schema schema, List<FieldSource> fields, Row columns) {
    Object[] values = new Object[fields.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = fields.get(i).of(columns);
    }
    return Row.withSchema(schema).attachValues(values);
  }

  /**
   * Those of all fields of a schema.
   *
   * @param names of the query's columns, in order
   */
  static List<FieldSource> of(Schema schema, PartColumns columns, List<String> names)
      throws UnsaidStepException {
    return of(schema, FieldPath.ROOT, columns, names);
  }

  private static List<FieldSource> of(
      Schema schema, FieldPath at, PartColumns columns, List<String> names)
      throws UnsaidStepException {
    List<FieldSource> sources = new ArrayList<>();
    for (int i = 0; i < schema.getFieldCount(); i++) {
      Schema.Field field = schema.getField(i);
      FieldPath path = at.then(i);
      if (FieldPath.isRow(field)) {
        Schema inner = FieldPath.rowOf(field);
        int presence =
            field.getType().getNullable() ? names.indexOf(columns.column(path).name()) : -1;
        sources.add(new Inner(inner, of(inner, path, columns, names), presence));
      } else {
        Column column = columns.column(path);
        sources.add(new Value(names.indexOf(column.name()), column.reading()));
      }
    }
    return sources;
  }
}
