// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.tpch;

import dev.anemone.examples.sql.AlignedTable;
import dev.anemone.examples.sql.CsvDirectory;
import java.io.IOException;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.beam.sdk.options.PipelineOptions;

/**
 * Runs queries one after the other in this JVM, so that all but the first find a warm session.
 * Results go to the standard output, times and failures to the standard error stream.
 */
final class QueryRuns {
  private final TpchDataSet dataSet;
  private final PipelineOptions options;
  private final CsvDirectory output;
  private final PrintStream out = System.out;
  private final PrintStream err = System.err;

  /**
   * @param output where results are written besides; null for nowhere
   */
  QueryRuns(TpchDataSet dataSet, PipelineOptions options, CsvDirectory output) {
    this.dataSet = dataSet;
    this.options = options;
    this.output = output;
  }

  /**
   * Runs the queries. A single one that fails throws what has failed.
   *
   * @throws IOException if a result cannot be written or read
   * @throws FailedQueriesException if one of several queries failed; the others have run
   */
  void run(List<TpchQuery> queries) throws IOException {
    if (queries.size() == 1) {
      run(queries.get(0));
      return;
    }
    Map<TpchQuery, Double> seconds = new LinkedHashMap<>();
    Map<TpchQuery, Throwable> failures = new LinkedHashMap<>();
    for (TpchQuery query : queries) {
      out.printf(Locale.ROOT, "Query %d%n%n", query.number());
      try {
        seconds.put(query, run(query));
      } catch (IOException | RuntimeException | StackOverflowError failure) {
        // A planner that recurses too deeply has failed on this query, and on no other.
        failures.put(query, failure);
        err.printf(Locale.ROOT, "Query %d failed: %s%n", query.number(), reason(failure));
      }
      out.println();
    }
    err.print(times(seconds, failures));
    if (!failures.isEmpty()) {
      throw new FailedQueriesException(failures, queries.size());
    }
  }

  /** Runs a query and returns its seconds, from the planning of its text to the sorted rows. */
  private double run(TpchQuery query) throws IOException {
    long start = System.nanoTime();
    Tpch.Result result = Tpch.run(query, dataSet, options);
    double seconds = (System.nanoTime() - start) / 1e9;
    out.print(AlignedTable.format(result.schema(), result.rows()));
    err.printf(
        Locale.ROOT,
        "Query %d on %s: %d rows in %.2f s%n",
        query.number(),
        dataSet.directory(),
        result.rows().size(),
        seconds);
    if (output != null) {
      output.write(query.label(), result.schema(), result.rows());
    }
    return seconds;
  }

  private static String reason(Throwable failure) {
    Throwable last = failure;
    while (last.getCause() != null) {
      last = last.getCause();
    }
    return last == failure ? failure.toString() : failure + " The cause: " + last;
  }

  /** The seconds of each query that has succeeded, and their geometric mean, as lines. */
  static String times(Map<TpchQuery, Double> seconds, Map<TpchQuery, Throwable> failures) {
    StringBuilder table = new StringBuilder("query  seconds\n-----  -------\n");
    double logarithms = 0;
    for (Map.Entry<TpchQuery, Double> time : seconds.entrySet()) {
      table.append(
          String.format(Locale.ROOT, "%5d  %7.2f%n", time.getKey().number(), time.getValue()));
      logarithms += Math.log(time.getValue());
    }
    for (TpchQuery failed : failures.keySet()) {
      table.append(String.format(Locale.ROOT, "%5d   failed%n", failed.number()));
    }
    if (!seconds.isEmpty()) {
      table.append(
          String.format(
              Locale.ROOT,
              "geometric mean of %d: %.2f s%n",
              seconds.size(),
              Math.exp(logarithms / seconds.size())));
    }
    return table.toString();
  }
}
