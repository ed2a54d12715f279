// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.ndp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.beam.ndp.NdpMetrics;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Queries on tables of {@code TYPE ndp} give what DuckDB gives on the same rows. */
class NdpQueriesTest {

  private static final List<String> QUERIES =
      List.of(
          // TPC-H Q6
          "SELECT SUM(price * discount) AS revenue FROM t WHERE shipped >= DATE '1994-01-01' AND"
              + " shipped < DATE '1995-01-01' AND discount BETWEEN 0.05 AND 0.07 AND small < 24",
          // TPC-H Q1
          "SELECT flag, good, SUM(price) AS a, SUM(price * (1 - discount)) AS b, MIN(shipped) AS c,"
              + " MAX(mode) AS d, COUNT(*) AS e, COUNT(small) AS f, SUM(small + id) AS g FROM t"
              + " WHERE shipped <= DATE '1998-09-02' GROUP BY flag, good",
          "SELECT flag, AVG(ratio) AS a, SUM(ratio) AS b FROM t GROUP BY flag",
          "SELECT COUNT(*) AS n FROM t",
          "SELECT SUM(price) AS s, COUNT(*) AS n FROM t WHERE id < 0",
          "SELECT id, mode FROM t WHERE mode LIKE 'AIR%' AND id BETWEEN 100 AND 140",
          "SELECT id, CASE WHEN small > 20 THEN price ELSE 0 END AS p FROM t WHERE small IN (3, 44)"
              + " AND good AND id < 3000",
          "SELECT mode, SUM(CASE WHEN flag = 'A' OR flag = 'R' THEN 1 ELSE 0 END) AS n FROM t"
              + " WHERE mode IN ('MAIL', 'AIR REG') GROUP BY mode",
          // what cannot be said: the length of a text
          "SELECT flag, CHAR_LENGTH(mode) AS l, small * 2 AS d FROM t WHERE CHAR_LENGTH(mode) > 4"
              + " AND id < 100",
          "SELECT EXTRACT(YEAR FROM shipped) AS y, COUNT(*) AS n FROM t WHERE mode IS NULL AND NOT"
              + " good GROUP BY EXTRACT(YEAR FROM shipped)",
          "SELECT a.id, b.price FROM t a, t b WHERE a.id = b.id AND a.small = 7 AND b.flag = 'A'"
              + " AND a.id < 2000");

  @TempDir private static Path directory;
  private static NdpFiles files;

  @BeforeAll
  static void write() throws Exception {
    files = new NdpFiles(directory);
  }

  @AfterAll
  static void close() throws Exception {
    files.close();
  }

  @ParameterizedTest
  @CsvSource({"csv, auto", "gzip, auto", "parquet, auto", "csv, off", "gzip, off", "parquet, off"})
  void giveWhatDuckDbGives(String kind, String columnar) throws Exception {
    Map<String, List<String>> results =
        new NdpRuns(files.ddl(kind), "--slots=2", "--columnar=" + columnar).run(QUERIES);
    for (String query : QUERIES) {
      assertThat(results.get(query)).as(query).isEqualTo(files.answer(query)).isNotEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"NoPushdown", "FullPushdown", "NearData"})
  void aTableThatIsReadTwiceAlikeIsReadOnce(String policy) throws Exception {
    String sums = "SELECT flag, SUM(price) AS s FROM t WHERE small < 40 GROUP BY flag";
    String ofSums = "SELECT COUNT(*) AS n FROM (" + sums + ") AS sums WHERE s > 0";
    long once = splitsRead(policy, sums);
    assertThat(once).isPositive();
    assertThat(splitsRead(policy, sums, ofSums)).isEqualTo(once);
    assertThat(splitsRead(policy, sums, ofSums.replace("40", "41"))).isEqualTo(2 * once);
  }

  /** Runs queries in one pipeline. */
  private static long splitsRead(String policy, String... queries) throws Exception {
    NdpRuns.Outcome outcome =
        new NdpRuns(
                files.ddl("csv"), "--slots=2", "--columnar=off", "--optimizationPolicy=" + policy)
            .outcome(List.of(queries));
    for (String query : queries) {
      assertThat(outcome.rows().get(query)).isEqualTo(files.answer(query)).isNotEmpty();
    }
    return outcome.counter(NdpMetrics.SPLITS_PUSHING + 0);
  }

  @Test
  void randomOnesToo() throws Exception {
    List<String> queries = new RandomQueries(42).some(12);
    Map<String, List<String>> results =
        new NdpRuns(
                files.ddl("csv"),
                "--slots=2",
                "--columnar=off",
                "--optimizationPolicy=FullPushdown")
            .run(queries);
    for (String query : queries) {
      assertThat(results.get(query)).as(query).isEqualTo(files.answer(query));
    }
  }
}
