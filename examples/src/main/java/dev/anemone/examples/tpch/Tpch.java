// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.tpch;

import dev.anemone.examples.sql.BenchmarkOptions;
import dev.anemone.examples.sql.CsvDirectory;
import dev.anemone.examples.sql.QueryNumbers;
import dev.anemone.examples.sql.QueryPipeline;
import dev.anemone.examples.sql.QueryResult;
import dev.anemone.examples.sql.QueryRuns;
import dev.anemone.examples.sql.SortKey;
import dev.anemone.shell.rows.CollectedRows;
import java.io.IOException;
import java.util.List;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.options.Description;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.Row;

/**
 * Runs TPC-H queries with Beam SQL, on data that is generated when it is first needed.
 *
 * <pre>{@code
 * bin/anemone tpch --query=6 --scale=0.1
 * bin/anemone tpch --query=all --scale=1 --output=/tmp/answers
 * bin/anemone tpch --query=10 --scale=0.1 --skew=customers=0.25:20,orders=0.25:20
 * }</pre>
 */
public final class Tpch {

  /** Which queries, on what data. */
  public interface Options extends BenchmarkOptions {
    @Description(
        "Skew of the data: 0.25:20 or customers=0.25:20 means that 20 customers own 25 % of all"
            + " orders, orders=0.25:20 that 20 orders own 25 % of all line items; both are"
            + " separated by a comma. Default: none")
    String getSkew();

    void setSkew(String skew);
  }

  private Tpch() {}

  /**
   * Reads the options. Where no planner of SQL is named, it is {@code AnemoneQueryPlanner}.
   *
   * @throws IllegalArgumentException if an option is missing or unknown
   */
  public static Options options(String... args) {
    return PipelineOptionsFactory.fromArgs(QueryPipeline.withPlanner(args))
        .withValidation()
        .as(Options.class);
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
    Options options = options(args);
    FileSystems.setDefaultPipelineOptions(options);
    List<TpchQuery> queries = TpchQuery.parse(options.getQuery());
    CollectedRows.requireCommonTempLocation(options);
    CsvDirectory output =
        options.getOutput() == null ? null : CsvDirectory.prepare("--output", options.getOutput());
    TpchDataSet dataSet = dataSet(options);
    new QueryRuns<TpchQuery>(query -> run(query, dataSet, options), dataSet.directory(), output)
        .run(queries);
  }

  /**
   * Runs a query.
   *
   * @param options what to run it on, and how
   * @throws IllegalArgumentException if tasks have no place for the rows that this program sees
   * @throws IOException if the result cannot be brought back
   */
  public static QueryResult run(TpchQuery query, TpchDataSet dataSet, PipelineOptions options)
      throws IOException {
    return QueryPipeline.run(
        options,
        pipeline -> plan(pipeline, query, dataSet),
        schema -> SortKey.comparator(query.orderBy()));
  }

  /**
   * Builds the pipeline of a query and does not run it.
   *
   * @throws IllegalArgumentException if the options name several queries, or no data
   * @throws IOException if the data cannot be read or generated
   */
  public static Pipeline pipeline(Options options) throws IOException {
    FileSystems.setDefaultPipelineOptions(options);
    TpchQuery query = QueryNumbers.single(options.getQuery(), TpchQuery.parse(options.getQuery()));
    Pipeline pipeline = Pipeline.create(options);
    plan(pipeline, query, dataSet(options));
    return pipeline;
  }

  private static PCollection<Row> plan(Pipeline pipeline, TpchQuery query, TpchDataSet dataSet) {
    PipelineOptions options = pipeline.getOptions();
    return options
        .as(Options.class)
        .getTables()
        .query(
            pipeline,
            "Query " + query.number(),
            QueryPipeline.hasOurPlanner(options) ? query.sql() : query.sqlForBeamPlanner(),
            dataSet.files());
  }

  private static TpchDataSet dataSet(Options options) throws IOException {
    return TpchDataSet.open(
        options.getData(), options.getScale(), TpchSkew.parse(options.getSkew()));
  }
}
