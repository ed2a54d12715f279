// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.schema;

import dev.anemone.ir.relational.query.Relation;
import java.util.HashMap;
import java.util.Map;

/**
 * Rows of a schema as a relation.
 *
 * @param columns of fields, their values; of rows that may be null, whether they are there: true,
 *     or null
 */
record PartColumns(Relation relation, Map<FieldPath, Column> columns) {

  PartColumns {
    columns = Map.copyOf(columns);
  }

  /** A column, and how its values become those of a field. */
  record Column(String name, Reading reading) {}

  Column column(FieldPath field) throws UnsaidStepException {
    Column column = columns.get(field);
    if (column == null) {
      throw new UnsaidStepException("a row of a group that may be missing");
    }
    return column;
  }

  /** The same columns, seen from a row that has these rows at a position. */
  Map<FieldPath, Column> within(int position) {
    Map<FieldPath, Column> moved = new HashMap<>();
    columns.forEach((field, column) -> moved.put(field.within(position), column));
    return moved;
  }
}
