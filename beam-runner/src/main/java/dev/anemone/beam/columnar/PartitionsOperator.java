// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.columnar;

import dev.anemone.beam.coder.GroupDecoder;
import dev.anemone.beam.spec.GroupingSpec;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.relational.query.RelationalQuery;
import dev.anemone.ndp.engine.NdpEngine;
import dev.anemone.runtime.spi.GroupOperator;
import dev.anemone.runtime.spi.KeyGroup;
import dev.anemone.runtime.spi.OperatorContext;
import dev.anemone.runtime.spi.Receiver;
import dev.anemone.runtime.spi.ValueCursor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import org.apache.beam.sdk.coders.VarIntCoder;
import org.apache.beam.sdk.transforms.windowing.GlobalWindow;
import org.apache.beam.sdk.values.WindowingStrategy;
import org.apache.beam.vendor.guava.v32_1_2_jre.com.google.common.collect.AbstractIterator;

/** Runs a query on each partition of its exchanges, and gives batches. */
final class PartitionsOperator implements GroupOperator {

  private final RelationalQuery query;
  private final QuerySpec spec;
  private final NdpEngine engine;

  /** Of the exchanges, which are in the global window and have the default trigger. */
  private final GroupDecoder decoder =
      new GroupDecoder(
          GroupingSpec.of(WindowingStrategy.globalDefault()),
          VarIntCoder.of(),
          ExchangedBatch.BatchCoder.of(),
          GlobalWindow.Coder.INSTANCE);

  private Receiver output;

  /**
   * An operator.
   *
   * @param engine of all of the job's tasks in this process
   */
  PartitionsOperator(RelationalQuery query, QuerySpec spec, NdpEngine engine) {
    this.query = query;
    this.spec = spec;
    this.engine = engine;
  }

  @Override
  public void open(OperatorContext context) {
    output = context.output(IREdge.MAIN);
  }

  @Override
  public void acceptGroup(KeyGroup partition) throws Exception {
    KeyGroup.ReplayableValues values = partition.replayableValues();
    new QueryReader(query, spec)
        .run(engine, FragmentQuery.inputs(query, () -> batches(values)), output::accept);
  }

  private Iterator<ExchangedBatch> batches(KeyGroup.ReplayableValues values) {
    ValueCursor cursor;
    try {
      cursor = values.cursor();
    } catch (IOException e) {
      throw new UncheckedIOException("the batches of a partition cannot be read", e);
    }
    return new AbstractIterator<>() {
      @Override
      protected ExchangedBatch computeNext() {
        try {
          if (!cursor.next()) {
            return endOfData();
          }
          return (ExchangedBatch) decoder.readValue(cursor.value());
        } catch (IOException e) {
          throw new UncheckedIOException("the batches of a partition cannot be read", e);
        }
      }
    };
  }

  @Override
  public void finish() {}

  @Override
  public void close() {}
}
