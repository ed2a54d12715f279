// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.schema;

import dev.anemone.ir.relational.query.Relation;
import java.util.List;
import org.apache.beam.sdk.values.PCollection;

/**
 * Rows of others that a part reads.
 *
 * @param rows with a schema
 * @param input with a column for each of the fields
 * @param fields of the rows: values, and rows of which it is asked whether they are there
 */
record PartInput(PCollection<?> rows, Relation.Input input, List<FieldPath> fields) {
  PartInput {
    fields = List.copyOf(fields);
  }
}
