// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.columnar;

import dev.anemone.beam.ndp.BatchTransform;
import dev.anemone.beam.ndp.NdpVertices;
import dev.anemone.beam.ndp.RowForm;
import dev.anemone.beam.spec.BeamSpecs;
import dev.anemone.ir.ExecutionProperties;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.SourcePart;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.property.NativeMemory;
import dev.anemone.ir.relational.json.QueryJson;
import dev.anemone.ir.relational.json.RelationalFunctions;
import dev.anemone.ir.relational.query.RelationalQuery;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.PBegin;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.Row;

/**
 * Runs a query over tables whose files lie on this machine. NemoRunner takes it as it is; any other
 * runner runs it with the same engine in a DoFn.
 */
public final class QueryRead extends PTransform<PBegin, PCollection<Row>>
    implements BatchTransform {

  private static final long serialVersionUID = 1;

  /** Part of a source that is a query: its tables, {@link QuerySpec}. */
  private static final String TABLES = "anemone:query-tables:v1";

  private final String queryJson;
  private final TreeMap<String, QueryTable> tables;
  private final RowForm form;
  private final Coder<Row> coder;

  /**
   * A query.
   *
   * @param tables those of the query's inputs, by name
   * @param schema of the rows; field by field what the query gives
   * @param coder of the rows, with that schema
   */
  public QueryRead(
      RelationalQuery query, Map<String, QueryTable> tables, Schema schema, Coder<Row> coder) {
    this.queryJson = new String(QueryJson.write(query), StandardCharsets.UTF_8);
    this.tables = new TreeMap<>(tables);
    this.form = new RowForm(schema);
    this.coder = coder;
  }

  private QueryTask<Row> task(PipelineOptions options) {
    return new QueryTask<>(queryJson, QuerySpec.alone(tables, options), form);
  }

  @Override
  public List<IRVertex> vertices(String stepName, PipelineOptions options, Supplier<String> ids) {
    QueryTask<Row> task = task(options);
    SourcePart all =
        new SourcePart(BeamSpecs.toStepSpec(TABLES, stepName, task.spec()), 0, List.of());
    return List.of(
        SourceVertex.of(ids.get(), stepName, RelationalFunctions.specOf(task.query()), List.of(all))
            .withProperties(ExecutionProperties.of(new NativeMemory(task.spec().memoryBytes()))),
        new NdpVertices(stepName, options).form(form, ids));
  }

  @Override
  public PCollection<Row> expand(PBegin begin) {
    return begin
        .apply("Once", Create.of(0))
        .apply("Query", ParDo.of(new QueryFn(task(begin.getPipeline().getOptions()))))
        .setCoder(coder);
  }

  /** Runs the query where the runner knows nothing of it. */
  private static final class QueryFn extends DoFn<Integer, Row> {

    private static final long serialVersionUID = 1;

    private final QueryTask<Row> task;

    QueryFn(QueryTask<Row> task) {
      this.task = task;
    }

    @ProcessElement
    public void processElement(OutputReceiver<Row> output) throws Exception {
      task.run(Map.of(), Map.of(), output::output);
    }
  }
}
