// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.columnar;

import dev.anemone.ir.IREdge;
import dev.anemone.ir.relational.query.RelationalQuery;
import dev.anemone.ndp.engine.NdpEngine;
import dev.anemone.runtime.spi.ElementOperator;
import dev.anemone.runtime.spi.OperatorContext;
import dev.anemone.runtime.spi.Receiver;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.WindowedValue;

/** Runs a query on each partition of its exchanges, and gives batches. */
final class FragmentOperator implements ElementOperator {

  private final RelationalQuery query;
  private final QuerySpec spec;
  private final NdpEngine engine;
  private Receiver output;

  /**
   * An operator.
   *
   * @param engine of all of the job's tasks in this process
   */
  FragmentOperator(RelationalQuery query, QuerySpec spec, NdpEngine engine) {
    this.query = query;
    this.spec = spec;
    this.engine = engine;
  }

  @Override
  public void open(OperatorContext context) {
    output = context.output(IREdge.MAIN);
  }

  @Override
  @SuppressWarnings("unchecked") // the elements of the collection that FragmentQuery reads
  public void accept(Object element) throws Exception {
    KV<Integer, Iterable<ExchangedBatch>> partition =
        ((WindowedValue<KV<Integer, Iterable<ExchangedBatch>>>) element).getValue();
    new QueryReader(query, spec)
        .run(engine, FragmentQuery.inputs(query, partition.getValue()), output::accept);
  }

  @Override
  public void finish() {}

  @Override
  public void close() {}
}
