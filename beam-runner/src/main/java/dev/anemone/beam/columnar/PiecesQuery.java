// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.columnar;

import dev.anemone.beam.ndp.BatchForm;
import dev.anemone.beam.ndp.BatchTransform;
import dev.anemone.beam.ndp.NdpVertices;
import dev.anemone.beam.options.NemoPipelineOptions;
import dev.anemone.beam.options.OptionCheck;
import dev.anemone.ir.ExecutionProperties;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.property.NativeMemory;
import dev.anemone.ir.relational.exchange.PiecedQuery;
import dev.anemone.ir.relational.json.RelationalFunctions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionView;
import org.apache.beam.sdk.values.PCollectionViews;
import org.apache.beam.sdk.values.PValue;
import org.apache.beam.sdk.values.TupleTag;

/**
 * Runs a query on the rows of one exchange where they are made, on some at a time, with all rows of
 * others beside them. NemoRunner takes it as it is; any other runner runs the query with the same
 * engine in a DoFn.
 *
 * @param <T> what its batches become
 */
final class PiecesQuery<T>
    extends PTransform<PCollection<KV<Integer, ExchangedBatch>>, PCollection<T>>
    implements BatchTransform {

  private static final long serialVersionUID = 1;

  private final QueryTask<T> task;
  private final String pieces;
  private final boolean bringsLibrary;
  private final TreeMap<String, PCollectionView<Iterable<KV<Integer, ExchangedBatch>>>> broadcast;
  private final long pieceBytes;
  private final Coder<T> coder;

  /**
   * A query.
   *
   * @param bringsLibrary whether nothing else in the task has loaded the engine, as what reads a
   *     table has
   * @param broadcast the other exchanges that the query reads
   * @param form of what it gives
   * @param coder of its elements
   */
  PiecesQuery(
      PiecedQuery query,
      boolean bringsLibrary,
      Map<String, PCollectionView<Iterable<KV<Integer, ExchangedBatch>>>> broadcast,
      PipelineOptions options,
      BatchForm<T> form,
      Coder<T> coder) {
    this.task = QueryTask.of(query.query(), QuerySpec.inSlot(options), form);
    this.pieces = query.pieces();
    this.bringsLibrary = bringsLibrary;
    this.broadcast = new TreeMap<>(broadcast);
    this.pieceBytes = pieceBytes(options);
    this.coder = coder;
  }

  /** Of rows that a query is run on at a time, roughly. */
  static long pieceBytes(PipelineOptions options) {
    long pieceMb =
        OptionCheck.atLeast(
            1,
            "columnarPieceMb",
            options.as(NemoPipelineOptions.class).getColumnarPieceMb(),
            "MB that are joined at a time");
    return pieceMb << 20;
  }

  @Override
  public List<IRVertex> vertices(String stepName, PipelineOptions options, Supplier<String> ids) {
    long nativeBytes = bringsLibrary ? task.spec().nativeBytes() : task.spec().memoryBytes();
    return List.of(
        OperatorVertex.of(
                ids.get(),
                stepName,
                RelationalFunctions.piecesOf(new PiecedQuery(task.query(), pieces)))
            .withProperties(ExecutionProperties.of(new NativeMemory(nativeBytes))),
        new NdpVertices(stepName, options).form(task.form(), ids));
  }

  @Override
  public Map<String, PCollectionView<?>> sideInputs() {
    return new TreeMap<>(broadcast);
  }

  @Override
  public Map<TupleTag<?>, PValue> getAdditionalInputs() {
    return PCollectionViews.toAdditionalInputs(sideInputs().values());
  }

  @Override
  public PCollection<T> expand(PCollection<KV<Integer, ExchangedBatch>> rows) {
    return rows.apply(
            "Query",
            ParDo.of(new PiecesFn<>(task, pieces, broadcast, pieceBytes))
                .withSideInputs(broadcast.values()))
        .setCoder(coder);
  }
}
