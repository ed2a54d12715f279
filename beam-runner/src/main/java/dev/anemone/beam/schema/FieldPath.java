// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.schema;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.values.Row;

/**
 * A field of a row, or of a row within it.
 *
 * @param positions from 0, from the outermost row inwards
 */
record FieldPath(List<Integer> positions) implements Serializable {

  static final FieldPath ROOT = new FieldPath(List.of());

  FieldPath {
    positions = List.copyOf(positions);
  }

  /** The field at a position of the row that this one is. */
  FieldPath then(int position) {
    List<Integer> longer = new ArrayList<>(positions);
    longer.add(position);
    return new FieldPath(longer);
  }

  /** The same field of the row that holds this path's row at a position. */
  FieldPath within(int position) {
    List<Integer> longer = new ArrayList<>(List.of(position));
    longer.addAll(positions);
    return new FieldPath(longer);
  }

  int first() {
    return positions.get(0);
  }

  /** The same field, seen from the row that the first position is. */
  FieldPath rest() {
    return new FieldPath(positions.subList(1, positions.size()));
  }

  /** The row that is so many levels further out. */
  FieldPath up(int levels) {
    return new FieldPath(positions.subList(0, positions.size() - levels));
  }

  int depth() {
    return positions.size();
  }

  Schema.Field field(Schema schema) {
    Schema at = schema;
    for (int i = 0; i < positions.size() - 1; i++) {
      at = rowOf(at.getField(positions.get(i)));
    }
    return at.getField(positions.get(positions.size() - 1));
  }

  /** Whether the field, or a row that it is in, may be null. */
  boolean isNullable(Schema schema) {
    for (int i = 0; i < positions.size(); i++) {
      if (up(i).field(schema).getType().getNullable()) {
        return true;
      }
    }
    return false;
  }

  /** The value in a row, null where a row on the way to it is. */
  Object value(Row row) {
    Object value = row;
    for (int position : positions) {
      if (value == null) {
        return null;
      }
      value = ((Row) value).getValue(position);
    }
    return value;
  }

  /** Whether it is a row. */
  static boolean isRow(Schema.Field field) {
    return field.getType().getTypeName() == Schema.TypeName.ROW;
  }

  /** The schema of a field that is a row. */
  static Schema rowOf(Schema.Field field) {
    Schema schema = field.getType().getRowSchema();
    if (schema == null) {
      throw new IllegalArgumentException(field + " is no row");
    }
    return schema;
  }

  /** All fields that are no rows, and all rows that may be null. */
  static Set<FieldPath> allOf(Schema schema) {
    Set<FieldPath> all = new LinkedHashSet<>();
    add(schema, ROOT, all);
    return all;
  }

  private static void add(Schema schema, FieldPath at, Set<FieldPath> all) {
    for (int i = 0; i < schema.getFieldCount(); i++) {
      Schema.Field field = schema.getField(i);
      if (!isRow(field)) {
        all.add(at.then(i));
        continue;
      }
      if (field.getType().getNullable()) {
        all.add(at.then(i));
      }
      add(rowOf(field), at.then(i), all);
    }
  }
}
