// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.schema;

import java.util.List;
import org.apache.beam.sdk.schemas.FieldAccessDescriptor;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.values.Row;

/**
 * Takes fields of rows, those of rows within them, too, and says of rows whether they are there.
 */
final class FieldsAsColumnsFn extends DoFn<Object, Row> {
  private static final long serialVersionUID = 1;

  /** Tells sources that can read fewer fields which these are. */
  @FieldAccess("fields")
  final FieldAccessDescriptor access;

  /** In the rows that Beam gives, which have the fields of {@link #access} only. */
  private final List<FieldPath> fields;

  private final Schema columns;

  /**
   * Takes fields.
   *
   * @param schema of the rows
   * @param columns field by field what is taken
   */
  FieldsAsColumnsFn(List<FieldPath> fields, Schema schema, Schema columns) {
    List<Integer> accessed = fields.stream().map(FieldPath::first).distinct().sorted().toList();
    this.fields =
        fields.stream().map(path -> path.rest().within(accessed.indexOf(path.first()))).toList();
    this.columns = columns;
    this.access =
        FieldAccessDescriptor.withFieldIds(accessed.toArray(Integer[]::new)).resolve(schema);
  }

  @ProcessElement
  public void process(@FieldAccess("fields") @Element Row row, OutputReceiver<Row> receiver) {
    Object[] values = new Object[fields.size()];
    for (int i = 0; i < values.length; i++) {
      Object value = fields.get(i).value(row);
      values[i] = value instanceof Row ? Boolean.TRUE : value;
    }
    receiver.output(Row.withSchema(columns).attachValues(values));
  }
}
