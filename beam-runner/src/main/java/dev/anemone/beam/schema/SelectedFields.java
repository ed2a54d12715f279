// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.schema;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.beam.sdk.schemas.FieldAccessDescriptor;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.schemas.utils.SelectHelpers;
import org.apache.beam.sdk.values.Row;

/**
 * Finds out which fields a selection of Beam takes: it selects of a row whose values are the
 * numbers of its fields. So orders, and rows that are taken apart, are Beam's.
 */
final class SelectedFields {

  private final List<FieldPath> numbered = new ArrayList<>();

  /** Fields given names, none twice: those of rows within rows may meet in one row. */
  private int named;

  private SelectedFields() {}

  /**
   * Where each field of the selection, and each row that it takes whole, is in the input.
   *
   * @param fields of rows of the schema
   * @throws UnsaidStepException when fields of rows in lists, maps or other types are selected
   */
  static Map<FieldPath, FieldPath> of(Schema schema, FieldAccessDescriptor fields)
      throws UnsaidStepException {
    FieldAccessDescriptor resolved = fields.resolve(schema);
    requirePlain(schema, resolved);
    SelectedFields selected = new SelectedFields();
    Schema numbers = selected.numbers(schema, FieldPath.ROOT);
    Row numbersOfFields = selected.row(numbers, new int[1]);
    Row taken = SelectHelpers.getRowSelector(numbers, resolved).select(numbersOfFields);
    Map<FieldPath, FieldPath> sources = new HashMap<>();
    selected.collect(taken, FieldPath.ROOT, sources);
    return sources;
  }

  /** All fields and rows of a schema, each where it is. */
  static Map<FieldPath, FieldPath> same(Schema schema) throws UnsaidStepException {
    return of(schema, FieldAccessDescriptor.withAllFields());
  }

  private static void requirePlain(Schema schema, FieldAccessDescriptor fields)
      throws UnsaidStepException {
    for (var nested : fields.getNestedFieldsAccessed().entrySet()) {
      Schema.Field field = schema.getField(Objects.requireNonNull(nested.getKey().getFieldId()));
      if (!nested.getKey().getQualifiers().isEmpty() || !FieldPath.isRow(field)) {
        throw new UnsaidStepException("fields of rows in lists, maps or other types");
      }
      requirePlain(FieldPath.rowOf(field), nested.getValue());
    }
  }

  private Schema numbers(Schema schema, FieldPath at) {
    Schema.Builder numbers = Schema.builder();
    for (int i = 0; i < schema.getFieldCount(); i++) {
      Schema.Field field = schema.getField(i);
      if (FieldPath.isRow(field)) {
        numbers.addRowField("n" + named++, numbers(FieldPath.rowOf(field), at.then(i)));
      } else {
        numbered.add(at.then(i));
        numbers.addField("n" + named++, FieldType.INT32);
      }
    }
    return numbers.build();
  }

  private Row row(Schema numbers, int[] next) {
    Row.Builder row = Row.withSchema(numbers);
    for (Schema.Field field : numbers.getFields()) {
      row.addValue(FieldPath.isRow(field) ? row(FieldPath.rowOf(field), next) : next[0]++);
    }
    return row.build();
  }

  /** Adds all fields below a row, and the row; gives one field of it, or null of an empty row. */
  private FieldPath collect(Row row, FieldPath at, Map<FieldPath, FieldPath> sources) {
    FieldPath last = null;
    for (int i = 0; i < row.getFieldCount(); i++) {
      FieldPath field = at.then(i);
      if (row.getValue(i) instanceof Row inner) {
        FieldPath below = collect(inner, field, sources);
        if (below != null) {
          last = below;
          sources.put(field, sources.get(below).up(below.depth() - field.depth()));
        }
      } else {
        last = field;
        sources.put(field, numbered.get((Integer) row.getValue(i)));
      }
    }
    return last;
  }
}
