// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.sql;

import dev.anemone.beam.sql.AnemoneQueryPlanner;
import dev.anemone.examples.PipelineRuns;
import dev.anemone.shell.rows.CollectedRows;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.extensions.sql.impl.BeamSqlPipelineOptions;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.Row;

/** Pipelines of one SQL query, whose rows come back to this program. */
public final class QueryPipeline {
  private static final String PLANNER = "--plannerName=";

  private QueryPipeline() {}

  /** The arguments, and {@link AnemoneQueryPlanner} as the planner of SQL where none is named. */
  public static String[] withPlanner(String... args) {
    return Arrays.stream(args).anyMatch(argument -> argument.startsWith(PLANNER))
        ? args
        : Stream.concat(
                Arrays.stream(args), Stream.of(PLANNER + AnemoneQueryPlanner.class.getName()))
            .toArray(String[]::new);
  }

  /** Whether the planner of SQL is {@link AnemoneQueryPlanner}. */
  public static boolean hasOurPlanner(PipelineOptions options) {
    return options
        .as(BeamSqlPipelineOptions.class)
        .getPlannerName()
        .equals(AnemoneQueryPlanner.class.getName());
  }

  /**
   * Runs a query.
   *
   * @param plan adds the query to a pipeline
   * @param order of its rows, by the schema of the result
   * @throws IllegalArgumentException if tasks have no place for the rows that this program sees
   * @throws IOException if the result cannot be brought back
   */
  public static QueryResult run(
      PipelineOptions options,
      Function<Pipeline, PCollection<Row>> plan,
      Function<Schema, Comparator<Row>> order)
      throws IOException {
    CollectedRows.requireCommonTempLocation(options);
    FileSystems.setDefaultPipelineOptions(options);
    try (CollectedRows collected = CollectedRows.in(options.getTempLocation())) {
      Pipeline pipeline = Pipeline.create(options);
      PCollection<Row> rows = plan.apply(pipeline);
      collected.collect(rows);
      long start = System.nanoTime();
      PipelineResult result = PipelineRuns.complete(pipeline);
      Duration time = Duration.ofNanos(System.nanoTime() - start);
      Schema schema = rows.getSchema();
      List<Row> sorted = collected.read().stream().sorted(order.apply(schema)).toList();
      return new QueryResult(schema, sorted, time, result.metrics());
    }
  }
}
