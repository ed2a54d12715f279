// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.exec;

import dev.anemone.beam.sql.codegen.CalcTranslator;
import dev.anemone.beam.sql.codegen.RowFunction;
import dev.anemone.beam.sql.codegen.RowFunctions;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.values.Row;

/** Runs a {@link RowFunction}. */
final class CalcFn extends DoFn<Row, Row> {
  private static final long serialVersionUID = 1;

  private final String source;
  private final Schema schema;
  private final boolean verifies;
  private transient RowFunction function;

  /** Never built: it attaches values to a new row each time. */
  private transient Row.Builder rows;

  /**
   * A function.
   *
   * @param source see {@link CalcTranslator}
   * @param schema of the rows that it makes
   * @param verifies whether to check each value against the schema
   */
  CalcFn(String source, Schema schema, boolean verifies) {
    this.source = source;
    this.schema = schema;
    this.verifies = verifies;
  }

  @Setup
  public void setUp() {
    function = RowFunctions.of(source);
    rows = Row.withSchema(schema);
  }

  @ProcessElement
  public void processElement(@Element Row row, OutputReceiver<Row> output) {
    Object[] values = function.apply(row);
    if (values != null) {
      output.output(
          verifies ? Row.withSchema(schema).addValues(values).build() : rows.attachValues(values));
    }
  }
}
