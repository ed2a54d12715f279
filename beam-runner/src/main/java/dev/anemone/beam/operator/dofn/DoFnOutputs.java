// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.dofn;

import dev.anemone.beam.spec.ParDoSpec;
import dev.anemone.ir.IREdge;
import dev.anemone.runtime.spi.OperatorContext;
import java.util.HashMap;
import java.util.Map;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.schemas.SchemaCoder;
import org.apache.beam.sdk.transforms.DoFn.MultiOutputReceiver;
import org.apache.beam.sdk.transforms.DoFn.OutputReceiver;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.sdk.values.TupleTag;

/** The outputs of a DoFn by tag. Their receivers are looked up once, when the task starts. */
final class DoFnOutputs implements MultiOutputReceiver {

  private final TupleTag<?> mainTag;
  private final DoFnOutput<Object> main;
  private final Map<TupleTag<?>, DoFnOutput<Object>> byTag = new HashMap<>();
  private final Map<TupleTag<?>, Coder<?>> coders;
  private final Map<TupleTag<?>, RowOutput<Object>> rowOutputs = new HashMap<>();

  private TupleTag<?> lastTag;
  private DoFnOutput<Object> lastOutput;

  DoFnOutputs(ParDoSpec spec, OperatorContext context, ElementScope scope) {
    this.mainTag = spec.outputs().main();
    this.coders = spec.outputs().coders();
    this.main = new DoFnOutput<>(context.output(IREdge.MAIN), scope);
    for (TupleTag<?> tag : spec.outputs().additional()) {
      byTag.put(tag, new DoFnOutput<>(context.output(tag.getId()), scope));
    }
    byTag.put(mainTag, main);
    this.lastTag = mainTag;
    this.lastOutput = main;
  }

  DoFnOutput<Object> main() {
    return main;
  }

  /**
   * The output with a tag.
   *
   * @throws IllegalArgumentException when the transform did not declare it
   */
  // The tag has the type of its output. An equal tag that is another object is looked up anew.
  @SuppressWarnings({"unchecked", "ReferenceEquality"})
  <T> DoFnOutput<T> output(TupleTag<T> tag) {
    if (tag != lastTag) {
      if (tag == null) {
        throw new IllegalArgumentException("the tag of an output must not be null");
      }
      DoFnOutput<Object> output = byTag.get(tag);
      if (output == null) {
        throw new IllegalArgumentException(
            "Unknown output tag "
                + tag
                + ": the transform declared "
                + byTag.keySet()
                + "; name further ones in withOutputTags");
      }
      lastTag = tag;
      lastOutput = output;
    }
    return (DoFnOutput<T>) lastOutput;
  }

  /** The main output, taking rows. */
  OutputReceiver<Row> mainRows() {
    return getRowReceiver(mainTag);
  }

  @Override
  public <T> OutputReceiver<T> get(TupleTag<T> tag) {
    return output(tag);
  }

  @Override
  public <T> OutputReceiver<Row> getRowReceiver(TupleTag<T> tag) {
    RowOutput<Object> rows = rowOutputs.get(tag);
    if (rows == null) {
      rows = newRowOutput(tag);
      rowOutputs.put(tag, rows);
    }
    return rows;
  }

  @SuppressWarnings("unchecked") // the coder has the type of its output
  private RowOutput<Object> newRowOutput(TupleTag<?> tag) {
    if (coders.get(tag) instanceof SchemaCoder<?> schemaCoder) {
      return new RowOutput<>((DoFnOutput<Object>) output(tag), (SchemaCoder<Object>) schemaCoder);
    }
    throw new IllegalStateException(
        "Output " + tag + " must have a schema to take rows, but its coder is " + coders.get(tag));
  }
}
