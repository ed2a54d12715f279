// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.columnar;

import dev.anemone.ir.IREdge;
import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.ir.property.KeyFilters;
import dev.anemone.ir.relational.exchange.PiecedQuery;
import dev.anemone.ir.relational.json.RelationalFunctions;
import dev.anemone.ndp.engine.NdpEngine;
import dev.anemone.ndp.exchange.ExchangedBatches;
import dev.anemone.runtime.spi.ElementOperator;
import dev.anemone.runtime.spi.OperatorContext;
import dev.anemone.runtime.spi.Receiver;
import dev.anemone.runtime.spi.SelectiveOperator;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.WindowedValue;

/**
 * Runs a query on the rows of one exchange, as they come, with all rows of others beside them, and
 * gives batches: on as many rows at a time as are worth it, since the others are read again each
 * time.
 */
final class PiecesOperator implements ElementOperator, SelectiveOperator {

  private final PiecedQuery pieced;
  private final QuerySpec spec;
  private final NdpEngine engine;
  private final long pieceBytes;
  private OperatorContext context;
  private BroadcastBatches broadcast;
  private Receiver output;
  private StepQueries queries;
  private List<byte[]> piece = new ArrayList<>();
  private long bytes;

  /**
   * An operator.
   *
   * @param engine of all of the job's tasks in this process
   * @param pieceBytes of rows that the query is run on at a time, roughly
   */
  PiecesOperator(PiecedQuery query, QuerySpec spec, NdpEngine engine, long pieceBytes) {
    this.pieced = query;
    this.spec = spec;
    this.engine = engine;
    this.pieceBytes = pieceBytes;
  }

  @Override
  public void open(OperatorContext given) throws Exception {
    context = given;
    queries = new StepQueries(context);
    output = context.output(IREdge.MAIN);
    broadcast = new BroadcastBatches(context);
  }

  @Override
  public List<FunctionSpec> filters(KeyFilters.KeyFilter wanted, int mostKeys) throws Exception {
    BuildKeys keys =
        context.shared(
            "columnar-keys " + context.vertexId() + " " + wanted.input() + " " + wanted.key(),
            () ->
                BuildKeys.of(
                    pieced.query().inputs().get(wanted.input()),
                    broadcast.of(wanted.input()),
                    wanted.key(),
                    mostKeys));
    return keys.filter(wanted.column()).map(RelationalFunctions::specOf).stream().toList();
  }

  @Override
  @SuppressWarnings("unchecked") // the elements of the collection that PiecesQuery reads
  public void accept(Object element) throws Exception {
    byte[] rows =
        ((WindowedValue<KV<Integer, ExchangedBatch>>) element).getValue().getValue().rows();
    piece.add(rows);
    bytes += rows.length;
    if (bytes >= pieceBytes) {
      run();
    }
  }

  @Override
  public void finish() throws Exception {
    if (!piece.isEmpty()) {
      run();
    }
    queries.report();
  }

  private void run() throws Exception {
    List<byte[]> rows = piece;
    piece = new ArrayList<>();
    bytes = 0;
    Map<String, Iterable<byte[]>> beside = new HashMap<>();
    for (String name : pieced.query().inputs().keySet()) {
      beside.put(name, name.equals(pieced.pieces()) ? rows : broadcast.of(name));
    }
    Map<String, ArrowReader> inputs = new HashMap<>();
    pieced
        .query()
        .inputs()
        .forEach(
            (name, row) -> inputs.put(name, ExchangedBatches.of(row, beside.get(name).iterator())));
    queries.run(pieced.query(), spec, engine, inputs, output::accept);
  }

  @Override
  public void close() {
    if (queries != null) {
      queries.close();
    }
  }
}
