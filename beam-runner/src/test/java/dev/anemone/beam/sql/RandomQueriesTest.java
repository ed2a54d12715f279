// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.beam.sql.random.QuerySeeds;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.beam.sdk.extensions.sql.impl.SqlConversionException;
import org.apache.beam.sdk.extensions.sql.meta.BeamSqlTable;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptUtil;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random queries yield what DuckDB yields, in rows and in columns. The system property {@code
 * anemone.sql.queries} says how many, {@code anemone.sql.seed} is the first seed, or {@code today}.
 */
@Tag("slow")
class RandomQueriesTest {

  /** The small one of the tables has no more, as the planner estimates it, and others have more. */
  private static final int SMALL_BYTES = 600;

  /** Queries that run in one pipeline. */
  private static final int TOGETHER = 20;

  /**
   * Of a hundred queries, those that are run in columns: of 5,000 in any case nearly two thirds.
   */
  private static final int LEAST_COLUMNAR = 40;

  /** Of a hundred queries, those that may be refused with a reason. */
  private static final int MOST_REFUSED = 10;

  @TempDir private static Path directory;

  @TestFactory
  Stream<DynamicTest> yieldWhatDuckDbYields() {
    return QuerySeeds.tests(40, TOGETHER, RandomQueriesTest::compare);
  }

  private static void compare(long seed) throws Exception {
    Map<String, MemoryTable> tables = RandomTables.of(seed);
    RandomQueries random = new RandomQueries(seed);
    List<String> queries = Stream.generate(random::next).limit(TOGETHER).distinct().toList();
    try (DuckDb duckDb = new DuckDb(tables)) {
      compare(queries, duckDb, Map.copyOf(tables), "rows of seed " + seed);
      Path files = Files.createDirectory(directory.resolve("seed" + seed));
      Map<String, BeamSqlTable> parquet = duckDb.parquetTables(tables, files);
      assertThat(queries.stream().filter(query -> isColumnar(query, parquet)))
          .as("queries that are run in columns")
          .hasSizeGreaterThan(queries.size() * LEAST_COLUMNAR / 100);
      compare(queries, duckDb, parquet, "columns of seed " + seed);
      compare(
          queries,
          duckDb,
          parquet,
          "exchanged columns of seed " + seed,
          "--columnar=distributed",
          "--exchangePartitions=3",
          "--passOptions=keepExchanges=true");
      compare(
          queries,
          duckDb,
          parquet,
          "columns in one stage of seed " + seed,
          "--columnar=distributed",
          "--exchangePartitions=3");
      compare(
          queries,
          duckDb,
          parquet,
          "columns broadcast by a pass of seed " + seed,
          "--columnar=distributed",
          "--exchangePartitions=3",
          "--broadcastJoinBytes=0",
          "--passOptions=keepExchanges=true,broadcastJoinBytes=" + SMALL_BYTES);
    }
  }

  private static boolean isColumnar(String query, Map<String, BeamSqlTable> tables) {
    try {
      return RelOptUtil.toString(Plans.of(query, tables)).contains("ColumnarRel");
    } catch (SqlConversionException refused) {
      return false;
    }
  }

  private static void compare(
      List<String> queries,
      DuckDb duckDb,
      Map<String, BeamSqlTable> tables,
      String what,
      String... options) {
    List<String> planned = new ArrayList<>();
    List<String> refused = new ArrayList<>();
    List<String> wrong = new ArrayList<>();
    for (String query : queries) {
      try {
        Plans.of(query, tables);
        planned.add(query);
      } catch (SqlConversionException refusal) {
        refused.add(query + "\n  " + refusal.getMessage());
      } catch (RuntimeException | AssertionError failure) {
        wrong.add(query + "\n  cannot be planned: " + failure);
      }
    }
    assertThat(refused).hasSizeLessThanOrEqualTo(queries.size() * MOST_REFUSED / 100);
    results(planned, tables, wrong, options)
        .forEach(
            (query, result) -> {
              List<List<Object>> ours = sorted(result.ordered().stream().map(DuckDb::comparable));
              List<List<Object>> theirs = sorted(run(duckDb, query).stream());
              if (!ours.equals(theirs)) {
                wrong.add(query + "\n  gave   " + ours + "\n  not    " + theirs);
              }
            });
    assertThat(wrong).as("wrong answers of " + what).isEmpty();
  }

  /** All in one pipeline; when that fails, each by itself, to find out which one does. */
  private static Map<String, SqlRun.Result> results(
      List<String> queries,
      Map<String, BeamSqlTable> tables,
      List<String> wrong,
      String... options) {
    try {
      return new SqlRun(tables, options).run(queries);
    } catch (RuntimeException failed) {
      Map<String, SqlRun.Result> results = new LinkedHashMap<>();
      for (String query : queries) {
        try {
          results.put(query, new SqlRun(tables, options).run(query));
        } catch (RuntimeException failure) {
          wrong.add(query + "\n  failed " + failure);
        }
      }
      if (wrong.isEmpty()) {
        throw failed;
      }
      return results;
    }
  }

  private static List<List<Object>> run(DuckDb duckDb, String query) {
    try {
      return duckDb.run(query);
    } catch (SQLException unexpected) {
      throw new IllegalStateException(query, unexpected);
    }
  }

  private static List<List<Object>> sorted(Stream<List<Object>> rows) {
    return rows.sorted(Comparator.comparing(Object::toString)).toList();
  }
}
