package dev.anemone.examples.tpch;

import dev.anemone.examples.PipelineRuns;
import dev.anemone.examples.sql.AlignedTable;
import dev.anemone.examples.sql.CollectedRows;
import dev.anemone.examples.sql.SortKey;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.extensions.sql.SqlTransform;
import org.apache.beam.sdk.options.Default;
import org.apache.beam.sdk.options.Description;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.options.Validation;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.Row;

/**
 * Runs a TPC-H query with Beam SQL, on data that is generated when it is first needed.
 *
 * <pre>{@code
 * bin/anemone tpch --query=6 --scale=0.1
 * }</pre>
 */
public final class Tpch {

  /** Which query, on what data. */
  public interface Options extends PipelineOptions {
    @Description("Number of the TPC-H query")
    @Validation.Required
    Integer getQuery();

    void setQuery(Integer query);

    @Description("Scale factor of the data; 1 is about a gigabyte")
    @Default.Double(0.1)
    double getScale();

    void setScale(double scale);

    @Description(
        "Directory of the .tbl files, generated if it does not exist; by default a directory per"
            + " scale under ~/.cache/anemone/tpch")
    String getData();

    void setData(String data);
  }

  /**
   * What a query gave.
   *
   * @param schema the columns
   * @param rows in the order of the query's ORDER BY
   */
  public record Result(Schema schema, List<Row> rows) {}

  private Tpch() {}

  /**
   * Runs a query, prints its rows as a table, and to the standard error stream the time.
   *
   * @throws IllegalArgumentException if an option is missing, unknown or out of range
   * @throws IOException if the data or the result cannot be written or read
   */
  public static void main(String[] args) throws IOException {
    Options options = PipelineOptionsFactory.fromArgs(args).withValidation().as(Options.class);
    TpchQuery query = TpchQuery.byNumber(options.getQuery());
    TpchDataSet dataSet = dataSet(options);
    long start = System.nanoTime();
    Result result = run(query, dataSet, options);
    double seconds = (System.nanoTime() - start) / 1e9;
    System.out.print(AlignedTable.format(result.schema(), result.rows()));
    System.err.printf(
        Locale.ROOT,
        "Query %d on %s: %d rows in %.2f s%n",
        query.number(),
        dataSet.directory(),
        result.rows().size(),
        seconds);
  }

  /**
   * Runs a query.
   *
   * @param options what to run it on, and how
   * @throws IOException if the result cannot be brought back
   */
  public static Result run(TpchQuery query, TpchDataSet dataSet, PipelineOptions options)
      throws IOException {
    try (CollectedRows collected = CollectedRows.in(options.getTempLocation())) {
      Pipeline pipeline = Pipeline.create(options);
      PCollection<Row> rows = plan(pipeline, query, dataSet);
      collected.collect(rows);
      PipelineRuns.complete(pipeline);
      return new Result(rows.getSchema(), SortKey.sort(collected.read(), query.orderBy()));
    }
  }

  /** Builds the pipeline of a query and does not run it. */
  public static Pipeline pipeline(Options options) throws IOException {
    Pipeline pipeline = Pipeline.create(options);
    plan(pipeline, TpchQuery.byNumber(options.getQuery()), dataSet(options));
    return pipeline;
  }

  private static PCollection<Row> plan(Pipeline pipeline, TpchQuery query, TpchDataSet dataSet) {
    return pipeline.apply(
        "Query " + query.number(),
        // The tables of this query are all there are: no need to load Beam's other providers.
        SqlTransform.query(query.sql())
            .withDefaultTableProvider("tpch", TpchSqlTable.provider(dataSet))
            .withAutoLoading(false));
  }

  private static TpchDataSet dataSet(Options options) throws IOException {
    String data = options.getData();
    return TpchDataSet.open(data == null ? null : Path.of(data), options.getScale());
  }
}
