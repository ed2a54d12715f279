// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.columnar;

import dev.anemone.beam.ndp.BatchForm;
import dev.anemone.beam.ndp.BatchTransform;
import dev.anemone.beam.ndp.NdpVertices;
import dev.anemone.ir.ExecutionProperties;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.property.NativeMemory;
import dev.anemone.ir.relational.exchange.PartitionedQuery;
import dev.anemone.ir.relational.json.RelationalFunctions;
import dev.anemone.ir.relational.query.RelationalQuery;
import dev.anemone.ndp.exchange.ExchangedBatches;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.StreamSupport;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.GroupByKey;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;

/**
 * Runs a query on each partition of the exchanges that are its inputs. NemoRunner takes it as it
 * is; any other runner groups by partition, and runs the query with the same engine in a DoFn.
 *
 * @param <T> what its batches become
 */
final class FragmentQuery<T>
    extends PTransform<PCollection<KV<Integer, ExchangedBatch>>, PCollection<T>>
    implements BatchTransform {

  private static final long serialVersionUID = 1;

  private final QueryTask<T> task;
  private final TreeSet<String> replicated;
  private final Coder<T> coder;

  /**
   * A query.
   *
   * @param form of what it gives
   * @param coder of its elements
   */
  FragmentQuery(
      PartitionedQuery query, PipelineOptions options, BatchForm<T> form, Coder<T> coder) {
    this.task = QueryTask.of(query.query(), QuerySpec.inSlot(options), form);
    this.replicated = new TreeSet<>(query.replicated());
    this.coder = coder;
  }

  @Override
  public boolean readsGroups() {
    return true;
  }

  @Override
  public List<IRVertex> vertices(String stepName, PipelineOptions options, Supplier<String> ids) {
    return List.of(
        OperatorVertex.of(
                ids.get(),
                stepName,
                RelationalFunctions.partitionsOf(new PartitionedQuery(task.query(), replicated)))
            .withProperties(ExecutionProperties.of(new NativeMemory(task.spec().nativeBytes()))),
        new NdpVertices(stepName, options).form(task.form(), ids));
  }

  @Override
  public PCollection<T> expand(PCollection<KV<Integer, ExchangedBatch>> input) {
    return input
        .apply("Partitions", GroupByKey.create())
        .apply("Query", ParDo.of(new FragmentFn<>(task)))
        .setCoder(coder);
  }

  /** The batches of each input of a query, of which they are read anew for each. */
  static Map<String, ArrowReader> inputs(RelationalQuery query, Iterable<ExchangedBatch> batches) {
    Map<String, ArrowReader> inputs = new HashMap<>();
    query
        .inputs()
        .forEach(
            (name, row) ->
                inputs.put(
                    name,
                    ExchangedBatches.of(
                        row,
                        StreamSupport.stream(batches.spliterator(), false)
                            .filter(batch -> batch.exchange().equals(name))
                            .map(ExchangedBatch::rows)
                            .iterator())));
    return inputs;
  }

  private static final class FragmentFn<T> extends DoFn<KV<Integer, Iterable<ExchangedBatch>>, T> {

    private static final long serialVersionUID = 1;

    private final QueryTask<T> task;

    FragmentFn(QueryTask<T> task) {
      this.task = task;
    }

    @ProcessElement
    public void processElement(
        @Element KV<Integer, Iterable<ExchangedBatch>> partition, OutputReceiver<T> output)
        throws Exception {
      task.run(Map.of(), inputs(task.query(), partition.getValue()), output::output);
    }
  }
}
