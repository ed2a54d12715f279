// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.ndp;

import dev.anemone.ir.IREdge;
import dev.anemone.runtime.spi.ElementOperator;
import dev.anemone.runtime.spi.OperatorContext;
import dev.anemone.runtime.spi.Receiver;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.beam.sdk.values.WindowedValues;

/** Turns the batches of a read or a query into elements in the global window. */
public final class FormOperator<T> implements ElementOperator {

  private final BatchForm<T> form;
  private BatchForm.Writer writer;

  /** An operator that makes elements of this form. */
  public FormOperator(BatchForm<T> form) {
    this.form = form;
  }

  @Override
  public void open(OperatorContext context) {
    Receiver output = context.output(IREdge.MAIN);
    writer = form.open(element -> output.accept(WindowedValues.valueInGlobalWindow(element)));
  }

  @Override
  public void accept(Object batch) throws Exception {
    writer.accept((VectorSchemaRoot) batch);
  }

  @Override
  public void finish() throws Exception {
    writer.finish();
  }

  @Override
  public void close() {
    if (writer != null) {
      writer.close();
    }
  }
}
