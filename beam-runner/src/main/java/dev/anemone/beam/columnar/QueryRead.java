// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.columnar;

import dev.anemone.beam.ndp.BatchForm;
import dev.anemone.beam.ndp.BatchTransform;
import dev.anemone.beam.ndp.NdpVertices;
import dev.anemone.beam.spec.BeamSpecs;
import dev.anemone.ir.ExecutionProperties;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.SourcePart;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.property.NativeMemory;
import dev.anemone.ir.relational.json.QueryJson;
import dev.anemone.ir.relational.json.RelationalFunctions;
import dev.anemone.ir.relational.query.RelationalQuery;
import dev.anemone.ndp.engine.NdpEngine;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.PBegin;
import org.apache.beam.sdk.values.PCollection;

/**
 * Runs a query over tables whose files lie on this machine. NemoRunner takes it as it is; any other
 * runner runs it with the same engine in a DoFn.
 *
 * @param <T> what its batches become
 */
public final class QueryRead<T> extends PTransform<PBegin, PCollection<T>>
    implements BatchTransform {

  private static final long serialVersionUID = 1;

  /** Part of a source that is a query: its tables, {@link QuerySpec}. */
  private static final String TABLES = "anemone:query-tables:v1";

  private final String queryJson;
  private final TreeMap<String, QueryTable> tables;
  private final BatchForm<T> form;
  private final Coder<T> coder;

  /**
   * A query.
   *
   * @param tables those of the query's inputs, by name
   * @param form of what the query gives
   * @param coder of its elements
   */
  public QueryRead(
      RelationalQuery query, Map<String, QueryTable> tables, BatchForm<T> form, Coder<T> coder) {
    this.queryJson = new String(QueryJson.write(query), StandardCharsets.UTF_8);
    this.tables = new TreeMap<>(tables);
    this.form = form;
    this.coder = coder;
  }

  private QueryTask<T> task(PipelineOptions options) {
    return new QueryTask<>(queryJson, QuerySpec.alone(tables, options), form);
  }

  @Override
  public List<IRVertex> vertices(String stepName, PipelineOptions options, Supplier<String> ids) {
    QueryTask<T> task = task(options);
    SourcePart all =
        new SourcePart(BeamSpecs.toStepSpec(TABLES, stepName, task.spec()), 0, List.of());
    return List.of(
        SourceVertex.of(ids.get(), stepName, RelationalFunctions.specOf(task.query()), List.of(all))
            .withProperties(ExecutionProperties.of(new NativeMemory(task.spec().memoryBytes()))),
        new NdpVertices(stepName, options).form(form, ids));
  }

  @Override
  public PCollection<T> expand(PBegin begin) {
    // While the pipeline is put together and translated.
    NdpEngine.startAhead();
    return begin
        .apply("Once", Create.of(0))
        .apply("Query", ParDo.of(new QueryFn<>(task(begin.getPipeline().getOptions()))))
        .setCoder(coder);
  }

  /** Runs the query where the runner knows nothing of it. */
  private static final class QueryFn<T> extends DoFn<Integer, T> {

    private static final long serialVersionUID = 1;

    private final QueryTask<T> task;

    QueryFn(QueryTask<T> task) {
      this.task = task;
    }

    @ProcessElement
    public void processElement(OutputReceiver<T> output) throws Exception {
      task.run(Map.of(), Map.of(), output::output);
    }
  }
}
