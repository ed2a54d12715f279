// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.sql;

import dev.anemone.shell.rows.AlignedTable;
import java.io.IOException;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Runs queries one after the other in this JVM, so that all but the first find a warm session.
 * Results go to the standard output, times and failures to the standard error stream.
 *
 * @param <Q> the queries of one benchmark
 */
public final class QueryRuns<Q extends BenchmarkQuery> {
  private final Program<Q> program;
  private final String data;
  private final CsvDirectory output;
  private final PrintStream out = System.out;
  private final PrintStream err = System.err;

  /** Runs one query. */
  public interface Program<Q> {
    /** Plans the query, runs it and brings its rows back. */
    QueryResult run(Q query) throws IOException;
  }

  /**
   * Runs of a program.
   *
   * @param data what messages call the data that the queries read
   * @param output where results are written besides; null for nowhere
   */
  public QueryRuns(Program<Q> program, String data, CsvDirectory output) {
    this.program = program;
    this.data = data;
    this.output = output;
  }

  /**
   * Runs the queries. A single one that fails throws what has failed.
   *
   * @throws IOException if a result cannot be written or read
   * @throws FailedQueriesException if one of several queries failed; the others have run
   */
  public void run(List<Q> queries) throws IOException {
    if (queries.size() == 1) {
      run(queries.get(0));
      return;
    }
    Map<Q, Double> seconds = new LinkedHashMap<>();
    Map<Q, Throwable> failures = new LinkedHashMap<>();
    for (Q query : queries) {
      out.printf(Locale.ROOT, "Query %s%n%n", query.name());
      try {
        seconds.put(query, run(query));
      } catch (IOException | RuntimeException | StackOverflowError failure) {
        // A planner that recurses too deeply has failed on this query, and on no other.
        failures.put(query, failure);
        err.printf(Locale.ROOT, "Query %s failed: %s%n", query.name(), reason(failure));
      }
      out.println();
    }
    err.print(times(seconds, failures));
    if (!failures.isEmpty()) {
      throw new FailedQueriesException(failures, queries.size());
    }
  }

  /** Runs a query and returns its seconds, from the planning of its text to the sorted rows. */
  private double run(Q query) throws IOException {
    long start = System.nanoTime();
    QueryResult result = program.run(query);
    double seconds = (System.nanoTime() - start) / 1e9;
    out.print(AlignedTable.format(result.schema(), result.rows()));
    err.printf(
        Locale.ROOT,
        "Query %s on %s: %d rows in %.2f s%n",
        query.name(),
        data,
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
  static <Q extends BenchmarkQuery> String times(
      Map<Q, Double> seconds, Map<Q, Throwable> failures) {
    StringBuilder table = new StringBuilder("query  seconds\n-----  -------\n");
    double logarithms = 0;
    for (Map.Entry<Q, Double> time : seconds.entrySet()) {
      table.append(
          String.format(Locale.ROOT, "%5s  %7.2f%n", time.getKey().name(), time.getValue()));
      logarithms += Math.log(time.getValue());
    }
    for (Q failed : failures.keySet()) {
      table.append(String.format(Locale.ROOT, "%5s   failed%n", failed.name()));
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
