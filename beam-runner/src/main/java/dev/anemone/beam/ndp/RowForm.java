// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.ndp;

import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.values.Row;

/**
 * Rows.
 *
 * @param schema field by field what the batches hold
 */
public record RowForm(Schema schema) implements BatchForm<Row> {

  @Override
  public Writer open(ElementReceiver<Row> output) {
    BatchRows rows = new BatchRows(schema);
    return batch -> rows.each(batch, output);
  }
}
