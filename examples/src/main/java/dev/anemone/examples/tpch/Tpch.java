// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.tpch;

import dev.anemone.beam.options.ClusterOptions;
import dev.anemone.beam.sql.AnemoneQueryPlanner;
import dev.anemone.examples.PipelineRuns;
import dev.anemone.examples.sql.CollectedRows;
import dev.anemone.examples.sql.CsvDirectory;
import dev.anemone.examples.sql.SortKey;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.extensions.sql.SqlTransform;
import org.apache.beam.sdk.extensions.sql.impl.BeamSqlPipelineOptions;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.metrics.MetricResults;
import org.apache.beam.sdk.options.Default;
import org.apache.beam.sdk.options.Description;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.options.Validation;
import org.apache.beam.sdk.schemas.Schema;
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
  private static final String PLANNER = "--plannerName=";

  /** Which queries, on what data. */
  public interface Options extends PipelineOptions {
    @Description("Numbers of the TPC-H queries, such as 6 or 1,3,5-7, or all")
    @Validation.Required
    String getQuery();

    void setQuery(String query);

    @Description("Scale factor of the data; 1 is about a gigabyte")
    @Default.Double(0.1)
    double getScale();

    void setScale(double scale);

    @Description(
        "Skew of the data: 0.25:20 or customers=0.25:20 means that 20 customers own 25 % of all"
            + " orders, orders=0.25:20 that 20 orders own 25 % of all line items; both are"
            + " separated by a comma. Default: none")
    String getSkew();

    void setSkew(String skew);

    @Description(
        "Directory of .tbl or Parquet files, generated if it does not exist; by default a directory"
            + " per scale and skew under ~/.cache/anemone/tpch")
    String getData();

    void setData(String data);

    @Description(
        "How the data is read: by sources of this program (sources), or as tables of TYPE ndp,"
            + " whose first operators may run where the data lies (ndp)")
    @Default.Enum("SOURCES")
    Tables getTables();

    void setTables(Tables tables);

    @Description(
        "Directory where each result is written as a CSV file, such as q06.csv. Default: nowhere")
    String getOutput();

    void setOutput(String output);
  }

  /** How the data is read. */
  public enum Tables {
    /** By sources of this program. */
    SOURCES,
    /** As tables of {@code TYPE ndp}. */
    NDP
  }

  /**
   * What a query gave.
   *
   * @param schema the columns
   * @param rows in the order of the query's ORDER BY
   * @param time from when the runner got the pipeline until that was done; SQL was planned before
   * @param metrics what the runner has counted
   */
  public record Result(Schema schema, List<Row> rows, Duration time, MetricResults metrics) {}

  private Tpch() {}

  /**
   * Reads the options. Where no planner of SQL is named, it is {@link AnemoneQueryPlanner}.
   *
   * @throws IllegalArgumentException if an option is missing or unknown
   */
  public static Options options(String... args) {
    return PipelineOptionsFactory.fromArgs(withPlanner(args)).withValidation().as(Options.class);
  }

  /** The arguments, and {@link AnemoneQueryPlanner} as the planner of SQL where none is named. */
  public static String[] withPlanner(String... args) {
    return Arrays.stream(args).anyMatch(argument -> argument.startsWith(PLANNER))
        ? args
        : Stream.concat(
                Arrays.stream(args), Stream.of(PLANNER + AnemoneQueryPlanner.class.getName()))
            .toArray(String[]::new);
  }

  /**
   * Runs queries one after the other. Prints the rows of each as a table, and to the standard error
   * stream the times.
   *
   * @throws IllegalArgumentException if an option is missing, unknown or out of range
   * @throws IOException if the data or a result cannot be written or read
   * @throws FailedQueriesException if one of several queries failed; the others have run
   */
  public static void main(String[] args) throws IOException {
    Options options = options(args);
    FileSystems.setDefaultPipelineOptions(options);
    List<TpchQuery> queries = TpchQuery.parse(options.getQuery());
    requireCommonTempLocation(options);
    CsvDirectory output =
        options.getOutput() == null ? null : CsvDirectory.prepare("--output", options.getOutput());
    new QueryRuns(dataSet(options), options, output).run(queries);
  }

  /**
   * Runs a query.
   *
   * @param options what to run it on, and how
   * @throws IllegalArgumentException if tasks have no place for the rows that this program sees
   * @throws IOException if the result cannot be brought back
   */
  public static Result run(TpchQuery query, TpchDataSet dataSet, PipelineOptions options)
      throws IOException {
    requireCommonTempLocation(options);
    FileSystems.setDefaultPipelineOptions(options);
    try (CollectedRows collected = CollectedRows.in(options.getTempLocation())) {
      Pipeline pipeline = Pipeline.create(options);
      PCollection<Row> rows = plan(pipeline, query, dataSet);
      collected.collect(rows);
      long start = System.nanoTime();
      PipelineResult result = PipelineRuns.complete(pipeline);
      Duration time = Duration.ofNanos(System.nanoTime() - start);
      return new Result(
          rows.getSchema(),
          SortKey.sort(collected.read(), query.orderBy()),
          time,
          result.metrics());
    }
  }

  /** On a cluster, rows that a task wrote on its own machine would never be found. */
  private static void requireCommonTempLocation(PipelineOptions options) {
    String mode = options.as(ClusterOptions.class).getDeployMode();
    if (mode.equalsIgnoreCase("yarn") && options.getTempLocation() == null) {
      throw new IllegalArgumentException(
          "--deployMode=yarn needs --tempLocation here, through which the rows come back. Give a"
              + " directory that all machines see, such as hdfs://namenode:8020/tmp.");
    }
  }

  /**
   * Builds the pipeline of a query and does not run it.
   *
   * @throws IllegalArgumentException if the options name several queries, or no data
   * @throws IOException if the data cannot be read or generated
   */
  public static Pipeline pipeline(Options options) throws IOException {
    FileSystems.setDefaultPipelineOptions(options);
    List<TpchQuery> queries = TpchQuery.parse(options.getQuery());
    if (queries.size() > 1) {
      throw new IllegalArgumentException(
          "--query=" + options.getQuery() + ": a plan is that of one query. Give one number.");
    }
    Pipeline pipeline = Pipeline.create(options);
    plan(pipeline, queries.get(0), dataSet(options));
    return pipeline;
  }

  private static PCollection<Row> plan(Pipeline pipeline, TpchQuery query, TpchDataSet dataSet) {
    String planner = pipeline.getOptions().as(BeamSqlPipelineOptions.class).getPlannerName();
    // The tables of this query are all there are: no need to load Beam's other providers.
    SqlTransform sql =
        SqlTransform.query(isOurs(planner) ? query.sql() : query.sqlForBeamPlanner())
            .withAutoLoading(false);
    return pipeline.apply(
        "Query " + query.number(),
        pipeline.getOptions().as(Options.class).getTables() == Tables.NDP
            ? new NdpTables(dataSet).declaredFor(sql)
            : sql.withDefaultTableProvider("tpch", TpchSqlTable.provider(dataSet)));
  }

  private static boolean isOurs(String planner) {
    return planner.equals(AnemoneQueryPlanner.class.getName());
  }

  private static TpchDataSet dataSet(Options options) throws IOException {
    return TpchDataSet.open(
        options.getData(), options.getScale(), TpchSkew.parse(options.getSkew()));
  }
}
