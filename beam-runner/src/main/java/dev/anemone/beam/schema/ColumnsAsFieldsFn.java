// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.schema;

import java.util.List;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.windowing.GlobalWindow;
import org.apache.beam.sdk.values.Row;

/** Makes rows of a schema out of a query's, at the time that rows of groups have. */
final class ColumnsAsFieldsFn extends DoFn<Row, Row> {
  private static final long serialVersionUID = 1;

  private final Schema schema;
  private final List<FieldSource> fields;

  ColumnsAsFieldsFn(Schema schema, List<FieldSource> fields) {
    this.schema = schema;
    this.fields = List.copyOf(fields);
  }

  @ProcessElement
  public void process(@Element Row columns, OutputReceiver<Row> receiver) {
    receiver.outputWithTimestamp(
        FieldSource.row(schema, fields, columns), GlobalWindow.INSTANCE.maxTimestamp());
  }
}
