// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.ndp;

import dev.anemone.beam.options.ColumnarMemory;
import dev.anemone.beam.options.ColumnarOptions;
import dev.anemone.beam.options.NemoPipelineOptions;
import dev.anemone.ir.relational.json.QueryJson;
import dev.anemone.ir.relational.query.RelationalQuery;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
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
public final class QueryRead extends PTransform<PBegin, PCollection<Row>> {

  private static final long serialVersionUID = 1;

  private final String queryJson;
  private final TreeMap<String, QueryTable> tables;
  private final Schema schema;
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
    this.schema = schema;
    this.coder = coder;
  }

  /** The schema of the rows. */
  Schema schema() {
    return schema;
  }

  /** What is run. */
  RelationalQuery query() {
    return query(queryJson);
  }

  private static RelationalQuery query(String json) {
    return QueryJson.read(json.getBytes(StandardCharsets.UTF_8));
  }

  /** Which tables it reads, and with what. */
  QuerySpec spec(PipelineOptions options) {
    return new QuerySpec(
        tables,
        options.as(NemoPipelineOptions.class).getSlots(),
        ColumnarMemory.of(options.as(ColumnarOptions.class)).bytes());
  }

  @Override
  public PCollection<Row> expand(PBegin begin) {
    return begin
        .apply("Once", Create.of(0))
        .apply(
            "Query",
            ParDo.of(new QueryFn(queryJson, spec(begin.getPipeline().getOptions()), schema)))
        .setCoder(coder);
  }

  /** Runs the query where the runner knows nothing of it. */
  private static final class QueryFn extends DoFn<Integer, Row> {

    private static final long serialVersionUID = 1;

    private final String queryJson;
    private final QuerySpec spec;
    private final Schema schema;

    QueryFn(String queryJson, QuerySpec spec, Schema schema) {
      this.queryJson = queryJson;
      this.spec = spec;
      this.schema = schema;
    }

    @ProcessElement
    public void processElement(OutputReceiver<Row> output) throws Exception {
      BatchRows rows = new BatchRows(schema);
      new QueryReader(query(queryJson), spec)
          .run(Map.of(), batch -> rows.each(batch, output::output));
    }
  }
}
