// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql;

import dev.anemone.beam.sql.order.ResultOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.UnaryOperator;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.extensions.sql.SqlTransform;
import org.apache.beam.sdk.extensions.sql.impl.QueryPlanner;
import org.apache.beam.sdk.extensions.sql.meta.BeamSqlTable;
import org.apache.beam.sdk.extensions.sql.meta.provider.ReadOnlyTableProvider;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.Row;

/** Runs queries, all in one pipeline, with NemoRunner. */
final class SqlRun {

  private static final Map<String, Queue<Row>> ROWS = new ConcurrentHashMap<>();

  private final Map<String, BeamSqlTable> tables;
  private final Class<? extends QueryPlanner> planner;
  private final String[] options;

  SqlRun(Map<String, BeamSqlTable> tables, String... options) {
    this(tables, AnemoneQueryPlanner.class, options);
  }

  SqlRun(
      Map<String, BeamSqlTable> tables, Class<? extends QueryPlanner> planner, String... options) {
    this.tables = Map.copyOf(tables);
    this.planner = planner;
    this.options = options.clone();
  }

  /** The rows of a query and their schema. */
  record Result(Schema schema, List<Row> rows) {

    Result {
      rows = List.copyOf(rows);
    }

    /** The rows in the order of the query. */
    List<List<Object>> ordered() {
      return rows.stream()
          .sorted(ResultOrder.of(schema).comparator())
          .map(row -> (List<Object>) new ArrayList<>(row.getValues()))
          .toList();
    }
  }

  Result run(String query) {
    return run(query, UnaryOperator.identity());
  }

  /** Runs a query with functions that were registered. */
  Result run(String query, UnaryOperator<SqlTransform> functions) {
    return run(List.of(query), functions).get(query);
  }

  Map<String, Result> run(List<String> queries) {
    return run(queries, UnaryOperator.identity());
  }

  private Map<String, Result> run(List<String> queries, UnaryOperator<SqlTransform> functions) {
    String run = UUID.randomUUID().toString();
    List<String> arguments = new ArrayList<>(List.of(options));
    arguments.add("--runner=NemoRunner");
    Pipeline pipeline =
        Pipeline.create(PipelineOptionsFactory.fromArgs(arguments.toArray(new String[0])).create());
    Map<String, Schema> schemas = new LinkedHashMap<>();
    for (String query : queries) {
      String key = run + query;
      ROWS.put(key, new ConcurrentLinkedQueue<>());
      PCollection<Row> result =
          pipeline.apply(
              "Query " + schemas.size(),
              functions.apply(
                  SqlTransform.query(query)
                      .withDefaultTableProvider("test", new ReadOnlyTableProvider("test", tables))
                      .withQueryPlannerClass(planner)));
      schemas.put(query, result.getSchema());
      result.apply("Collect " + schemas.size(), ParDo.of(new CollectFn(key)));
    }
    PipelineResult.State state = pipeline.run().waitUntilFinish();
    if (state != PipelineResult.State.DONE) {
      throw new IllegalStateException("The pipeline ended as " + state);
    }
    Map<String, Result> results = new LinkedHashMap<>();
    schemas.forEach(
        (query, schema) ->
            results.put(query, new Result(schema, List.copyOf(ROWS.remove(run + query)))));
    return results;
  }

  private static final class CollectFn extends DoFn<Row, Void> {
    private static final long serialVersionUID = 1L;

    private final String key;

    CollectFn(String key) {
      this.key = key;
    }

    @ProcessElement
    public void process(@Element Row row) {
      ROWS.get(key).add(row);
    }
  }
}
