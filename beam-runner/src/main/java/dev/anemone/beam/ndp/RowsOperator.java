// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.ndp;

import dev.anemone.ir.IREdge;
import dev.anemone.runtime.spi.ElementOperator;
import dev.anemone.runtime.spi.OperatorContext;
import dev.anemone.runtime.spi.Receiver;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.beam.sdk.values.WindowedValues;

/** Turns the batches of a read into rows in the global window. */
final class RowsOperator implements ElementOperator {

  private final BatchRows rows;
  private Receiver output;

  RowsOperator(RowsSpec spec) {
    this.rows = new BatchRows(spec.schema());
  }

  @Override
  public void open(OperatorContext context) {
    output = context.output(IREdge.MAIN);
  }

  @Override
  public void accept(Object batch) throws Exception {
    rows.each(
        (VectorSchemaRoot) batch, row -> output.accept(WindowedValues.valueInGlobalWindow(row)));
  }

  @Override
  public void finish() {}

  @Override
  public void close() {}
}
