// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.tpcds;

import dev.anemone.beam.sql.order.ResultOrder;
import dev.anemone.examples.sql.BenchmarkOptions;
import dev.anemone.examples.sql.CsvDirectory;
import dev.anemone.examples.sql.QueryNumbers;
import dev.anemone.examples.sql.QueryPipeline;
import dev.anemone.examples.sql.QueryResult;
import dev.anemone.examples.sql.QueryRuns;
import dev.anemone.examples.tables.DataSet;
import dev.anemone.shell.rows.CollectedRows;
import java.io.IOException;
import java.util.List;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.Row;

/**
 * Runs TPC-DS queries with Beam SQL, on data that is generated when it is first needed.
 *
 * <pre>{@code
 * bin/anemone tpcds --query=3 --scale=0.1
 * bin/anemone tpcds --query=all --scale=1 --output=/tmp/answers
 * }</pre>
 */
public final class Tpcds {
  private Tpcds() {}

  /**
   * Reads the options. Where no planner of SQL is named, it is {@code AnemoneQueryPlanner}.
   *
   * @throws IllegalArgumentException if an option is missing or unknown
   */
  public static BenchmarkOptions options(String... args) {
    return PipelineOptionsFactory.fromArgs(QueryPipeline.withPlanner(args))
        .withValidation()
        .as(BenchmarkOptions.class);
  }

  /**
   * Opens a data set. On the local file system it is generated first if it is not there.
   *
   * @param directory where the data is or shall be, on any file system of Beam's, which must know
   *     their options already; null for a place under the user's cache directory, one for each
   *     scale
   * @param scale the scale factor; 1 is about a gigabyte
   * @throws IllegalArgumentException if the scale is out of range, or the directory holds something
   *     else, or another scale
   * @throws IOException if the data cannot be read or written
   */
  public static DataSet open(String directory, double scale) throws IOException {
    return DataSet.open(directory, new TpcdsGenerator(scale));
  }

  /**
   * Runs queries one after the other. Prints the rows of each as a table, and to the standard error
   * stream the times.
   *
   * @throws IllegalArgumentException if an option is missing, unknown or out of range
   * @throws IOException if the data or a result cannot be written or read
   * @throws dev.anemone.examples.sql.FailedQueriesException if one of several queries failed; the
   *     others have run
   */
  public static void main(String[] args) throws IOException {
    BenchmarkOptions options = options(args);
    FileSystems.setDefaultPipelineOptions(options);
    List<TpcdsQuery> queries = TpcdsQuery.parse(options.getQuery());
    CollectedRows.requireCommonTempLocation(options);
    CsvDirectory output =
        options.getOutput() == null ? null : CsvDirectory.prepare("--output", options.getOutput());
    DataSet dataSet = open(options.getData(), options.getScale());
    new QueryRuns<TpcdsQuery>(query -> run(query, dataSet, options), dataSet.directory(), output)
        .run(queries);
  }

  /**
   * Runs a query.
   *
   * @param options what to run it on, and how
   * @throws IllegalArgumentException if tasks have no place for the rows that this program sees
   * @throws IOException if the result cannot be brought back
   */
  public static QueryResult run(TpcdsQuery query, DataSet dataSet, PipelineOptions options)
      throws IOException {
    return QueryPipeline.run(
        options,
        pipeline -> plan(pipeline, query, dataSet),
        schema -> ResultOrder.of(schema).comparator());
  }

  /**
   * Builds the pipeline of a query and does not run it.
   *
   * @throws IllegalArgumentException if the options name several queries, or no data
   * @throws IOException if the data cannot be read or generated
   */
  public static Pipeline pipeline(BenchmarkOptions options) throws IOException {
    FileSystems.setDefaultPipelineOptions(options);
    TpcdsQuery query =
        QueryNumbers.single(options.getQuery(), TpcdsQuery.parse(options.getQuery()));
    Pipeline pipeline = Pipeline.create(options);
    plan(pipeline, query, open(options.getData(), options.getScale()));
    return pipeline;
  }

  private static PCollection<Row> plan(Pipeline pipeline, TpcdsQuery query, DataSet dataSet) {
    return pipeline
        .getOptions()
        .as(BenchmarkOptions.class)
        .getTables()
        .query(pipeline, "Query " + query.name(), query.sql(), dataSet);
  }
}
