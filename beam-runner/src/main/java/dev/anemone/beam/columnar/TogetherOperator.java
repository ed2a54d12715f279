// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.columnar;

import dev.anemone.ir.IREdge;
import dev.anemone.ir.relational.exchange.PartitionedQuery;
import dev.anemone.ndp.engine.NdpEngine;
import dev.anemone.ndp.exchange.ExchangedBatches;
import dev.anemone.runtime.spi.ElementOperator;
import dev.anemone.runtime.spi.OperatorContext;
import dev.anemone.runtime.spi.Receiver;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.WindowedValue;

/**
 * Runs a query once on all partitions of its exchanges, when all batches have come, and gives
 * batches. Nothing runs where nothing has come, as for no partition.
 */
final class TogetherOperator implements ElementOperator {

  /** The part of a task's memory that batches may have that wait. */
  private static final int MEMORY_SHARES = 4;

  private final PartitionedQuery partitioned;
  private final QuerySpec spec;
  private final NdpEngine engine;
  private HeldBatches held;
  private boolean any;
  private Receiver output;
  private StepQueries queries;

  /**
   * An operator.
   *
   * @param engine of all of the job's tasks in this process
   */
  TogetherOperator(PartitionedQuery query, QuerySpec spec, NdpEngine engine) {
    this.partitioned = query;
    this.spec = spec;
    this.engine = engine;
  }

  @Override
  public void open(OperatorContext context) throws Exception {
    output = context.output(IREdge.MAIN);
    queries = new StepQueries(context);
    held =
        new HeldBatches(
            partitioned.query().inputs().keySet(),
            spec.limits().workDirectory(),
            context.memoryBudgetBytes() / MEMORY_SHARES);
  }

  @Override
  @SuppressWarnings("unchecked") // the elements of the collection that FragmentQuery reads
  public void accept(Object element) throws IOException {
    KV<Integer, ExchangedBatch> piece =
        ((WindowedValue<KV<Integer, ExchangedBatch>>) element).getValue();
    any = true;
    String exchange = piece.getValue().exchange();
    boolean isCopy = partitioned.replicated().contains(exchange) && piece.getKey() != 0;
    if (!isCopy && !exchange.isEmpty()) {
      held.add(piece.getValue());
    }
  }

  @Override
  public void finish() throws Exception {
    if (!any) {
      return;
    }
    Map<String, ArrowReader> inputs = new HashMap<>();
    partitioned
        .query()
        .inputs()
        .forEach((name, row) -> inputs.put(name, ExchangedBatches.of(row, held.of(name))));
    queries.run(partitioned.query(), spec, engine, inputs, output::accept);
    queries.report();
  }

  @Override
  public void close() throws IOException {
    if (queries != null) {
      queries.close();
    }
    if (held != null) {
      held.close();
    }
  }
}
