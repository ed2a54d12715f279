// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.columnar;

import dev.anemone.beam.ndp.BatchForm;
import dev.anemone.ir.relational.query.RelationalQuery;
import dev.anemone.ndp.exchange.ExchangedBatches;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.GlobalWindow;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollectionView;
import org.apache.beam.vendor.guava.v32_1_2_jre.com.google.common.collect.Iterables;

/**
 * Does what a {@link PiecesOperator} does, where the runner knows nothing of it.
 *
 * @param <T> what its batches become
 */
final class PiecesFn<T> extends DoFn<KV<Integer, ExchangedBatch>, T> {

  private static final long serialVersionUID = 1;

  private final QueryTask<T> task;
  private final String stays;
  private final TreeMap<String, PCollectionView<Iterable<KV<Integer, ExchangedBatch>>>> broadcast;
  private final long pieceBytes;

  private transient List<byte[]> piece;
  private transient long bytes;
  private transient Map<String, Iterable<KV<Integer, ExchangedBatch>>> beside;

  /**
   * A function.
   *
   * @param stays the exchange whose rows come
   * @param broadcast the other exchanges that the query reads
   * @param pieceBytes of rows that the query is run on at a time, roughly
   */
  PiecesFn(
      QueryTask<T> task,
      String stays,
      Map<String, PCollectionView<Iterable<KV<Integer, ExchangedBatch>>>> broadcast,
      long pieceBytes) {
    this.task = task;
    this.stays = stays;
    this.broadcast = new TreeMap<>(broadcast);
    this.pieceBytes = pieceBytes;
  }

  @StartBundle
  public void startBundle() {
    piece = new ArrayList<>();
    bytes = 0;
    beside = null;
  }

  @ProcessElement
  public void processElement(ProcessContext context) throws Exception {
    if (beside == null) {
      beside = new HashMap<>();
      broadcast.forEach((name, view) -> beside.put(name, context.sideInput(view)));
    }
    byte[] rows = context.element().getValue().rows();
    piece.add(rows);
    bytes += rows.length;
    if (bytes >= pieceBytes) {
      run(context::output);
    }
  }

  @FinishBundle
  public void finishBundle(FinishBundleContext context) throws Exception {
    if (!piece.isEmpty()) {
      run(
          element ->
              context.output(element, BoundedWindow.TIMESTAMP_MIN_VALUE, GlobalWindow.INSTANCE));
    }
    beside = null;
  }

  private void run(BatchForm.ElementReceiver<T> output) throws Exception {
    List<byte[]> rows = piece;
    piece = new ArrayList<>();
    bytes = 0;
    RelationalQuery query = task.query();
    Map<String, ArrowReader> inputs = new HashMap<>();
    inputs.put(stays, ExchangedBatches.of(query.inputs().get(stays), rows.iterator()));
    beside.forEach(
        (name, batches) ->
            inputs.put(
                name,
                ExchangedBatches.of(
                    query.inputs().get(name),
                    Iterables.transform(batches, batch -> batch.getValue().rows()).iterator())));
    task.run(Map.of(), inputs, output);
  }
}
