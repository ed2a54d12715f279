// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.columnar;

import dev.anemone.beam.ndp.RowForm;
import dev.anemone.beam.options.DeployMode;
import dev.anemone.beam.options.NativeMemoryUser;
import dev.anemone.beam.options.NemoPipelineOptions;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.exchange.DivisibleRows;
import dev.anemone.ir.relational.json.QueryJson;
import dev.anemone.ir.relational.query.RelationalQuery;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.coders.NullableCoder;
import org.apache.beam.sdk.coders.VarIntCoder;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.Flatten;
import org.apache.beam.sdk.transforms.GroupByKey;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.windowing.GlobalWindows;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionList;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.vendor.guava.v32_1_2_jre.com.google.common.collect.Iterables;

/**
 * Runs a query over the rows of a collection, window by window, each in one task: the rows of a
 * window are gathered, handed to the columnar engine as batches, and what it gives are rows again.
 * It is made of transforms of Beam's, so any runner runs it. Where rows may be {@linkplain
 * DivisibleRows divided}, as for analytic functions with {@code PARTITION BY}, there is a task for
 * each part of them.
 *
 * <p>A decimal of Beam has any number of digits, one of the engine those of its type. So the query
 * is typed again when the digits of a window's decimals are known.
 */
public final class QueryOfRows extends PTransform<PCollection<Row>, PCollection<Row>> {

  /** The name of the query's input. */
  public static final String ROWS = "rows";

  private static final long serialVersionUID = 1;

  /** Stands for no rows at all, which would be no group. */
  private static final KV<Integer, Row> NOTHING = KV.of(0, null);

  private final String queryJson;
  private final boolean alsoOfNothing;
  private final Schema schema;
  private final Coder<Row> coder;

  /**
   * A query.
   *
   * @param query with one input, {@link #ROWS}, whose columns are those of the rows by position
   * @param alsoOfNothing whether no rows at all have a result, too
   * @param schema of the rows; field by field what the query gives
   * @param coder of the rows, with that schema
   */
  public QueryOfRows(
      RelationalQuery query, boolean alsoOfNothing, Schema schema, Coder<Row> coder) {
    this.queryJson = new String(QueryJson.write(query), StandardCharsets.UTF_8);
    this.alsoOfNothing = alsoOfNothing;
    this.schema = schema;
    this.coder = coder;
  }

  @Override
  public PCollection<Row> expand(PCollection<Row> rows) {
    PipelineOptions options = rows.getPipeline().getOptions();
    List<Integer> keys = keys();
    int parts = keys.isEmpty() ? 1 : ExchangePartitions.of(options);
    KvCoder<Integer, Row> keyed = KvCoder.of(VarIntCoder.of(), NullableCoder.of(rows.getCoder()));
    PCollection<KV<Integer, Row>> all =
        rows.apply(keys.isEmpty() ? "Gather" : "Partition", ParDo.of(new PartitionFn(keys, parts)))
            .setCoder(keyed);
    if (alsoOfNothing && rows.getWindowingStrategy().getWindowFn() instanceof GlobalWindows) {
      PCollection<KV<Integer, Row>> nothing =
          rows.getPipeline().apply("Nothing", Create.of(NOTHING).withCoder(keyed));
      all = PCollectionList.of(all).and(nothing).apply("Rows or nothing", Flatten.pCollections());
    }
    return all.apply("Group", GroupByKey.create())
        .apply(
            "Query",
            ParDo.of(
                new QueryFn(new QueryTask<>(queryJson, spec(options, parts), new RowForm(schema)))))
        .setCoder(coder);
  }

  /** The columns of the rows in which those of a part are equal. */
  private List<Integer> keys() {
    RelationalQuery query = QueryJson.read(queryJson.getBytes(StandardCharsets.UTF_8));
    RowType row = query.inputs().get(ROWS);
    return DivisibleRows.keys(query).stream().map(key -> row.indexOf(key).orElseThrow()).toList();
  }

  private static QuerySpec spec(PipelineOptions options, int parts) {
    return parts == 1 && DeployMode.of(options.as(NemoPipelineOptions.class)) == DeployMode.LOCAL
        ? QuerySpec.alone(Map.of(), options)
        : QuerySpec.inSlot(options);
  }

  private static final class PartitionFn extends DoFn<Row, KV<Integer, Row>> {

    private static final long serialVersionUID = 1;

    private final List<Integer> keys;
    private final int parts;

    PartitionFn(List<Integer> keys, int parts) {
      this.keys = List.copyOf(keys);
      this.parts = parts;
    }

    @ProcessElement
    public void processElement(@Element Row row, OutputReceiver<KV<Integer, Row>> output) {
      output.output(KV.of(ValueHash.part(row, keys, parts), row));
    }
  }

  private static final class QueryFn extends DoFn<KV<Integer, Iterable<Row>>, Row>
      implements NativeMemoryUser {

    private static final long serialVersionUID = 1;

    private final QueryTask<Row> task;

    QueryFn(QueryTask<Row> task) {
      this.task = task;
    }

    @Override
    public long nativeBytes() {
      return task.spec().nativeBytes();
    }

    @ProcessElement
    public void processElement(@Element KV<Integer, Iterable<Row>> all, OutputReceiver<Row> output)
        throws Exception {
      Iterable<Row> rows = Iterables.filter(all.getValue(), Objects::nonNull);
      RowType type = RowBatches.withDigits(task.query().inputs().get(ROWS), rows);
      task.run(
          Map.of(ROWS, type), Map.of(ROWS, RowBatches.of(type, rows.iterator())), output::output);
    }
  }
}
