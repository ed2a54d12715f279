// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Queries of many shapes on random tables yield what DuckDB yields. */
class DifferentialTest {

  private static final List<String> JOINS =
      List.of(
          "SELECT a_id, b_id FROM a, b WHERE a_k = b_k",
          "SELECT a_id, b_id FROM a JOIN b ON a_k = b_k AND a_s = b_s WHERE a_n < b_n",
          "SELECT a_id, b_id, b_d FROM a LEFT JOIN b ON a_k = b_k",
          "SELECT a_id, b_id FROM a LEFT JOIN b ON a_k = b_k AND b_n > 3 AND a_n < 5",
          "SELECT a_id, b_id FROM a LEFT JOIN b ON a_k = b_k AND a_n < b_n",
          "SELECT a_id, b_id FROM a RIGHT JOIN b ON a_k = b_k AND a_n < b_n",
          "SELECT a_id, b_id FROM a FULL JOIN b ON a_k = b_k AND a_n < b_n",
          "SELECT a_id, c_id FROM a LEFT JOIN c ON a_k = c_k",
          "SELECT a_id, c_id FROM c LEFT JOIN a ON a_k = c_k",
          "SELECT a_id, c_id FROM a CROSS JOIN c",
          "SELECT a_id, b_id FROM a JOIN b ON a_d = b_d",
          "SELECT a_id, b_id FROM a JOIN b ON a_t = b_t WHERE b_n <> a_n",
          "SELECT a_id, b_id FROM a JOIN b ON a_k = b_n AND a_n + 1 = b_k",
          "SELECT a_id, b_id FROM a JOIN b ON a_k IS NOT DISTINCT FROM b_k AND a_n = b_n",
          "SELECT a_id, b_id, c_id FROM a, b, c WHERE a_k = b_k AND b_n = c_n AND c_k < 6",
          "SELECT x.a_id, y.a_id FROM a x, a y, b WHERE x.a_k = b_k AND y.a_n = b_n"
              + " AND ((x.a_s = 'p' AND y.a_s = 'q') OR (x.a_s = 'q' AND y.a_s = 'p'))",
          "SELECT a_id, b_id FROM a, b WHERE (a_k = b_k AND a_n < 4 AND b_s = 'p')"
              + " OR (a_k = b_k AND a_n > 5 AND b_s = 'q')");

  private static final List<String> SUB_QUERIES =
      List.of(
          "SELECT a_id FROM a WHERE EXISTS (SELECT * FROM b WHERE b_k = a_k)",
          "SELECT a_id FROM a WHERE NOT EXISTS (SELECT * FROM b WHERE b_k = a_k)",
          "SELECT a_id FROM a WHERE EXISTS (SELECT 1 FROM b WHERE b_k = a_k AND b_n <> a_n)"
              + " AND NOT EXISTS (SELECT 1 FROM b WHERE b_k = a_k AND b_n > a_n AND b_s = 'p')",
          "SELECT a_id FROM a WHERE EXISTS (SELECT 1 FROM b, c WHERE b_k = c_k AND b_n = a_n)",
          "SELECT a_id FROM a WHERE a_k IN (SELECT b_k FROM b WHERE b_n > 4)",
          "SELECT a_id FROM a WHERE a_k NOT IN (SELECT b_k FROM b WHERE b_n > 5)",
          "SELECT a_id FROM a WHERE a_k NOT IN (SELECT b_k FROM b WHERE b_k IS NOT NULL)",
          "SELECT a_id FROM a WHERE a_id NOT IN (SELECT b_id FROM b WHERE b_s = 'p')",
          "SELECT a_id FROM a WHERE a_k NOT IN (SELECT b_k FROM b WHERE b_n > 100)",
          "SELECT a_id FROM a WHERE (a_k, a_n) IN (SELECT b_k, b_n FROM b)",
          "SELECT a_id FROM a WHERE a_d > (SELECT AVG(b_d) FROM b)",
          "SELECT a_id FROM a WHERE a_d < (SELECT 0.5 * SUM(b_d) FROM b WHERE b_k = a_k)",
          "SELECT a_id FROM a WHERE a_d = (SELECT MIN(b.a_d) FROM a b WHERE b.a_k = a.a_k)",
          "SELECT a_id, (SELECT MAX(b_n) FROM b WHERE b_k = a_k) AS m FROM a",
          "SELECT a_id, (SELECT COUNT(*) FROM b WHERE b_k = a_k) AS m FROM a",
          "SELECT a_id FROM a WHERE a_k IN (SELECT b_k FROM b WHERE b_n IN"
              + " (SELECT c_n FROM c) AND b_id > (SELECT AVG(c_id) FROM c WHERE c_k = b_k))",
          "WITH s AS (SELECT a_k AS k, SUM(a_d) AS d FROM a GROUP BY a_k)"
              + " SELECT k, d FROM s WHERE d = (SELECT MAX(d) FROM s)");

  private static final List<String> OTHERS =
      List.of(
          "SELECT a_k, AVG(a_n), AVG(a_id) FROM a GROUP BY a_k",
          "SELECT AVG(a_n), AVG(DISTINCT a_k) FROM a",
          "SELECT AVG(a_n) FROM a WHERE a_n > 100",
          "SELECT a_id, TRIM(a_s), ROUND(a_d, 1), CAST(a_n + 1 AS VARCHAR), CEIL(a_d / 3) FROM a"
              + " WHERE TRIM(a_s) < 's' OR a_s IS NULL",
          "SELECT a_k, COUNT(*), COUNT(a_n), SUM(a_n), MIN(a_t), MAX(a_s) FROM a GROUP BY a_k",
          "SELECT a_s, SUM(a_d), AVG(a_d), MIN(a_d), MAX(a_d) FROM a GROUP BY a_s",
          "SELECT COUNT(*), SUM(a_d), AVG(a_d) FROM a WHERE a_n > 100",
          "SELECT a_k, STDDEV_SAMP(a_n), STDDEV_POP(a_d), VAR_SAMP(a_id), VAR_POP(a_n),"
              + " AVG(a_d) FROM a GROUP BY a_k",
          "SELECT a_n, a_s, STDDEV_SAMP(a_id), VAR_SAMP(a_id) / 2, COVAR_SAMP(a_id, a_d)"
              + " FROM a GROUP BY a_n, a_s",
          "SELECT STDDEV_SAMP(a_n), VAR_POP(a_d), COVAR_POP(a_n, a_k) FROM a WHERE a_n > 100",
          "SELECT a_k, STDDEV_SAMP(DISTINCT a_n), COUNT(*) FROM a GROUP BY a_k",
          "SELECT COVAR_SAMP(a_k, a_n), COVAR_POP(a_d, a_id), COVAR_POP(a_d, CAST(a_n AS DOUBLE))"
              + " FROM a",
          "SELECT a_k FROM a GROUP BY a_k HAVING CASE AVG(a_n) WHEN 0 THEN 0"
              + " ELSE STDDEV_SAMP(a_n) / AVG(a_n) END > 0.5",
          "SELECT a_k, COUNT(DISTINCT a_n) FROM a GROUP BY a_k",
          "SELECT a_k, COUNT(DISTINCT a_n), SUM(a_d) FROM a GROUP BY a_k",
          "SELECT DISTINCT a_k, a_s FROM a",
          "SELECT a_k, SUM(a_n) FROM a GROUP BY a_k HAVING SUM(a_n) > (SELECT AVG(b_n) FROM b)",
          "SELECT cnt, COUNT(*) FROM (SELECT a_id, COUNT(b_id) AS cnt FROM a LEFT JOIN b"
              + " ON a_k = b_k AND b_s <> 'p' GROUP BY a_id) AS t GROUP BY cnt",
          "SELECT a_id, CASE WHEN a_n > 3 THEN a_d ELSE NULL END FROM a",
          "SELECT a_id, CASE WHEN a_n > 3 THEN a_d * 1.5 ELSE 0 END, a_d * a_d, -a_d FROM a",
          "SELECT 100.00 * SUM(CASE WHEN a_s = 'p' THEN a_d * (1 - 0.05) ELSE 0 END) / SUM(a_d)"
              + " FROM a",
          "SELECT a_k, SUM(a_d) / 7.0 FROM a GROUP BY a_k",
          "SELECT a_id FROM a WHERE a_d BETWEEN 0.5 AND 150.25 AND a_t < DATE '1995-02-03'"
              + " + INTERVAL '1' MONTH",
          "SELECT a_id, EXTRACT(YEAR FROM a_t), EXTRACT(MONTH FROM a_t) FROM a",
          "SELECT a_id FROM a WHERE a_s LIKE 'p%' OR a_s NOT LIKE '%q'",
          "SELECT a_k AS k FROM a UNION ALL SELECT b_k FROM b",
          "SELECT k + 1 FROM (SELECT a_k AS k, a_s AS s FROM a UNION ALL SELECT b_k, b_s FROM b)"
              + " AS u WHERE s = 'p'",
          "SELECT a_k FROM a UNION SELECT b_k FROM b",
          "SELECT a_k FROM a INTERSECT SELECT b_k FROM b",
          "SELECT a_k FROM a EXCEPT SELECT b_k FROM b",
          "SELECT a_d - a_d, a_k FROM a EXCEPT SELECT b_d, b_k FROM b",
          "SELECT a_d - a_d FROM a INTERSECT SELECT b_d - b_d FROM b");

  private static final List<String> SET_OPERATORS =
      List.of(
          "SELECT a_k FROM a UNION ALL SELECT b_k FROM b UNION ALL SELECT c_k FROM c",
          "SELECT a_k FROM a UNION SELECT b_k FROM b UNION SELECT c_k FROM c",
          "SELECT a_k FROM a UNION ALL SELECT b_k FROM b UNION SELECT c_k FROM c",
          "SELECT a_k FROM a UNION SELECT b_k FROM b UNION ALL SELECT c_k FROM c",
          "SELECT a_k FROM a UNION ALL SELECT a_k FROM a UNION ALL SELECT a_k FROM a",
          "SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 2",
          "SELECT a_id, a_s FROM a UNION ALL SELECT b_n, 'x' FROM b UNION ALL SELECT c_d, c_s"
              + " FROM c",
          "SELECT a_d, a_t FROM a UNION SELECT b_n, b_t FROM b UNION SELECT 7, NULL FROM c",
          "SELECT a_k FROM a INTERSECT SELECT b_k FROM b INTERSECT SELECT a_n FROM a",
          "SELECT a_n, a_s FROM a INTERSECT ALL SELECT b_n, b_s FROM b INTERSECT ALL SELECT a_k, a_s"
              + " FROM a",
          "SELECT a_id FROM a EXCEPT SELECT b_n FROM b EXCEPT SELECT c_k FROM c",
          "SELECT a_n FROM a EXCEPT ALL SELECT b_n FROM b EXCEPT ALL SELECT c_k FROM c",
          "SELECT a_k FROM a UNION ALL (SELECT b_k FROM b INTERSECT SELECT c_k FROM c) UNION ALL"
              + " (SELECT b_k FROM b EXCEPT SELECT c_k FROM c)",
          "SELECT k, COUNT(*) FROM (SELECT a_k AS k FROM a UNION ALL SELECT b_n FROM b UNION ALL"
              + " SELECT c_id FROM c) AS u GROUP BY k");

  private static final List<String> ORDERED =
      List.of(
          "SELECT a_id FROM a ORDER BY a_id DESC",
          "SELECT a_d, a_id FROM a ORDER BY a_d DESC NULLS LAST, a_id",
          "SELECT a_t, a_id FROM a ORDER BY a_t NULLS FIRST, a_id DESC LIMIT 7",
          "SELECT a_id FROM a ORDER BY a_d + 1 NULLS FIRST, a_id LIMIT 5",
          "SELECT a_s, SUM(a_d) AS d FROM a GROUP BY a_s ORDER BY d DESC NULLS LAST LIMIT 2",
          "SELECT a_id FROM a ORDER BY a_id LIMIT 3 OFFSET 4",
          "SELECT a_id FROM a ORDER BY a_id LIMIT 1000 OFFSET 20",
          "SELECT a_id FROM a WHERE a_d IN (SELECT a_d FROM a ORDER BY a_d DESC NULLS LAST LIMIT 3)"
              + " ORDER BY a_id");

  @ParameterizedTest(name = "seed {0}, broadcast up to {1} bytes")
  @CsvSource({"1, 0", "2, 1000000000"})
  void joinsYieldWhatDuckDbYields(long seed, long broadcastBytes) throws Exception {
    compare(RandomTables.of(seed), JOINS, List.of(), broadcastBytes);
  }

  @Test
  void subQueriesYieldWhatDuckDbYields() throws Exception {
    compare(RandomTables.of(4), SUB_QUERIES, List.of(), 8_000_000);
  }

  @Test
  void setOperatorsOfManyBranchesYieldWhatDuckDbYields() throws Exception {
    compare(RandomTables.of(5), SET_OPERATORS, List.of(), 8_000_000);
  }

  @Test
  void otherQueriesYieldWhatDuckDbYields() throws Exception {
    compare(RandomTables.of(3), OTHERS, ORDERED, 8_000_000);
  }

  static void compare(
      Map<String, MemoryTable> tables,
      List<String> unordered,
      List<String> ordered,
      long broadcastBytes)
      throws Exception {
    List<String> queries = new ArrayList<>(unordered);
    queries.addAll(ordered);
    Map<String, SqlRun.Result> results =
        new SqlRun(Map.copyOf(tables), "--broadcastJoinBytes=" + broadcastBytes).run(queries);
    SoftAssertions softly = new SoftAssertions();
    try (DuckDb duckDb = new DuckDb(tables)) {
      for (String query : unordered) {
        softly
            .assertThat(sorted(comparable(results.get(query))))
            .as(query)
            .isEqualTo(sorted(duckDb.run(query)));
      }
      for (String query : ordered) {
        softly.assertThat(comparable(results.get(query))).as(query).isEqualTo(duckDb.run(query));
      }
    }
    softly.assertAll();
  }

  private static List<List<Object>> comparable(SqlRun.Result result) {
    return result.ordered().stream().map(DuckDb::comparable).toList();
  }

  private static List<List<Object>> sorted(List<List<Object>> rows) {
    return rows.stream().sorted(Comparator.comparing(Object::toString)).toList();
  }
}
