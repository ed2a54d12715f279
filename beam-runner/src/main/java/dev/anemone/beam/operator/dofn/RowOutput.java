// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.dofn;

import org.apache.beam.sdk.schemas.SchemaCoder;
import org.apache.beam.sdk.transforms.DoFn.OutputReceiver;
import org.apache.beam.sdk.transforms.SerializableFunction;
import org.apache.beam.sdk.values.OutputBuilder;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.sdk.values.WindowedValues;

/** An output that takes rows and converts them to the type of the output they are for. */
final class RowOutput<T> implements OutputReceiver<Row> {

  private final DoFnOutput<T> target;
  private final SerializableFunction<Row, T> fromRow;

  RowOutput(DoFnOutput<T> target, SchemaCoder<T> coder) {
    this.target = target;
    this.fromRow = coder.getFromRowFunction();
  }

  @Override
  public void output(Row row) {
    target.output(fromRow.apply(row));
  }

  @Override
  public OutputBuilder<Row> builder(Row row) {
    return WindowedValues.builder(target.builder(fromRow.apply(row)))
        .withValue(row)
        .setReceiver(
            element ->
                target.outputWindowedValue(
                    fromRow.apply(element.getValue()),
                    element.getTimestamp(),
                    element.getWindows(),
                    element.getPaneInfo()));
  }
}
