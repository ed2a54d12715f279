// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.values.Row;
import org.joda.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What other SQL engines understand, on random tables. */
class StandardSqlTest {

  private static final Map<String, MemoryTable> TABLES = RandomTables.of(5);
  private static final long BROADCAST = 8_000_000;

  @Test
  void aSubQueryOfOneRowStandsForItsValue() throws Exception {
    DifferentialTest.compare(
        TABLES,
        List.of(
            "SELECT a_id FROM a WHERE a_id > (SELECT a_id FROM a WHERE a_id = 3)",
            "SELECT a_id FROM a WHERE a_id > (SELECT DISTINCT a_id FROM a WHERE a_id = 3)",
            "SELECT b_id, (SELECT a_s FROM a WHERE a_id = 2), (SELECT a_d FROM a WHERE a_id = 2),"
                + " (SELECT a_t FROM a WHERE a_id = 2) FROM b",
            "SELECT b_id, (SELECT a_n FROM a WHERE a_id = -1) FROM b",
            "SELECT b_id, (SELECT a_s FROM a WHERE a_id = b_id) FROM b",
            "SELECT b_id FROM b WHERE b_n < (SELECT a_n FROM a WHERE a_id = b_id)",
            "SELECT b_id FROM b WHERE (SELECT a_n FROM a WHERE a_id = b_id) > 3",
            // Of other rows there may be several.
            "SELECT b_id FROM b WHERE b_id < 5 AND b_n <="
                + " (SELECT a_n FROM a WHERE CASE WHEN a_id < 5 THEN a_id ELSE 100 END = b_id)"),
        List.of(),
        BROADCAST);
  }

  /** Two rows are too many, also where one or both of them have NULL. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT a_id FROM a WHERE a_id = (SELECT b_id FROM b)",
        "SELECT a_id FROM a WHERE a_id = (SELECT NULLIF(b_id, b_id) FROM b WHERE b_id < 2)",
        "SELECT a_id FROM a WHERE a_id = (SELECT NULLIF(b_id, 0) FROM b WHERE b_id < 2)",
        "SELECT a_id FROM a WHERE a_id = (SELECT NULLIF(b_id, 1) FROM b WHERE b_id < 2)",
        "SELECT a_id, (SELECT b_n FROM b WHERE b_k = a_k) FROM a",
        "SELECT a_id FROM a WHERE (SELECT b_n FROM b WHERE b_k = a_k) > 3"
      })
  void aSubQueryOfSeveralRowsStandsForNoValue(String query) {
    assertThatThrownBy(() -> new SqlRun(Map.copyOf(TABLES)).run(query))
        .hasStackTraceContaining(
            "A sub-query that stands for one value has yielded more than one row.");
  }

  @Test
  void aQueryWithCorrelatedSubQueriesMayGroupByConstants() throws Exception {
    DifferentialTest.compare(
        TABLES,
        List.of(
            "SELECT b_k FROM (SELECT DISTINCT b_k, 6.15 AS x, b_s, DATE '1995-02-03' AS y FROM b)"
                + " AS t WHERE NOT EXISTS (SELECT 1 FROM c WHERE c_s = t.b_s)",
            "SELECT x, y, n FROM (SELECT x, b_k, y, z, COUNT(*) AS n FROM (SELECT 1 AS x, b_k, 2 AS"
                + " y, 3 AS z FROM b) AS s GROUP BY x, b_k, y, z) AS t WHERE EXISTS"
                + " (SELECT 1 FROM c WHERE c_k = t.b_k)",
            "SELECT x, y FROM (SELECT DISTINCT 1 AS x, 2 AS y FROM b) AS t WHERE EXISTS"
                + " (SELECT 1 FROM c WHERE c_k = t.y)",
            "SELECT SUM(NULLIF(x, 80.35)), COUNT(*) FROM (SELECT 37.25 AS x FROM a) AS t GROUP BY"
                + " x"),
        List.of(),
        BROADCAST);
  }

  @Test
  void eachSubQueryMayBeCorrelatedWithAnotherSideOfAJoin() throws Exception {
    DifferentialTest.compare(
        TABLES,
        List.of(
            "SELECT c_id, a_id FROM c JOIN a ON c_s = a_s WHERE EXISTS (SELECT 1 FROM a AS x WHERE"
                + " x.a_id = c_id) AND EXISTS (SELECT 1 FROM b WHERE b_s = a_s)",
            "SELECT c_id, a_id FROM c JOIN a ON c_s = a_s WHERE c_n > (SELECT MIN(b_n) FROM b WHERE"
                + " b_k = c_k) AND NOT EXISTS (SELECT 1 FROM b WHERE b_id = a_id)",
            "SELECT t.s, a_id FROM (SELECT DISTINCT c_s AS s, c_k AS k FROM c) AS t JOIN a ON s ="
                + " a_s WHERE EXISTS (SELECT 1 FROM b WHERE b_k = k) OR EXISTS (SELECT 1 FROM b"
                + " WHERE b_k = a_k AND b_id = a_id)"),
        List.of(),
        BROADCAST);
  }

  @Test
  void textsAreConcatenated() throws Exception {
    DifferentialTest.compare(
        TABLES,
        List.of(
            "SELECT a_id, CONCAT(COALESCE(a_s, '-'), 'x'), CONCAT('a', 'b', COALESCE(a_s, '')) FROM"
                + " a WHERE CONCAT(COALESCE(a_s, ''), 'z') <> 'pz'",
            "SELECT CONCAT(COALESCE(a_s, '-'), 'x') AS s, COUNT(*) FROM a GROUP BY"
                + " CONCAT(COALESCE(a_s, '-'), 'x')"),
        List.of(),
        BROADCAST);
  }

  /** As for the operator, unlike in DuckDB, which leaves NULLs out. */
  @Test
  void theConcatenationOfNullIsNull() {
    SqlRun.Result result =
        new SqlRun(Map.copyOf(TABLES)).run("SELECT a_s, CONCAT(a_s, 'x') FROM a");

    assertThat(result.rows()).anyMatch(row -> row.getString(0) == null);
    assertThat(result.rows())
        .allMatch(row -> (row.getString(0) == null) == (row.getString(1) == null));
  }

  @Test
  void aWholeNumberThatIsAddedToADateIsOneOfDays() throws Exception {
    DifferentialTest.compare(
        TABLES,
        List.of(
            "SELECT a_id, a_t + 5, a_t - 2, 3 + a_t, DATE '1995-02-27' + 5 FROM a",
            "SELECT a_id, a_t + a_n, a_t - a_n, a_n + a_t FROM a",
            "SELECT a_id FROM a WHERE a_t BETWEEN DATE '1995-01-03' AND DATE '1995-01-03' + 30",
            "SELECT a_id, b_id FROM a, b WHERE a_t + 1 = b_t AND a_k = b_k",
            "SELECT a_id, b_id FROM a, b WHERE a_t > b_t + 5 AND a_k = b_k"),
        List.of(),
        BROADCAST);
  }

  @Test
  void aStandardDeviationIsTheRootOfAVariance() throws Exception {
    DifferentialTest.compare(
        TABLES,
        List.of(
            "SELECT ROUND(SQRT(VAR_SAMP(CAST(a_n AS DOUBLE))), 5) AS s,"
                + " ROUND(SQRT(VAR_POP(CAST(a_d AS DOUBLE))), 5) AS p FROM a"),
        List.of(),
        BROADCAST);
  }

  @Test
  void anOffsetNeedsNoLimit() throws Exception {
    DifferentialTest.compare(
        TABLES,
        List.of(
            "SELECT a_k, a_id FROM a ORDER BY a_d DESC NULLS LAST, a_id OFFSET 5",
            "SELECT COUNT(*) FROM (SELECT a_id FROM a ORDER BY a_id OFFSET 4) AS x",
            "SELECT COUNT(*) FROM (SELECT a_s FROM a OFFSET 4) AS x"),
        List.of(
            "SELECT a_id FROM a ORDER BY a_id OFFSET 7",
            "SELECT a_id FROM a ORDER BY a_id OFFSET 7 ROWS",
            "SELECT a_s FROM a ORDER BY a_s NULLS FIRST OFFSET 9",
            "SELECT a_s, a_d FROM a ORDER BY a_s DESC NULLS LAST, a_d NULLS FIRST OFFSET 9",
            "SELECT a_id FROM a ORDER BY a_id OFFSET 0",
            "SELECT a_id FROM a ORDER BY a_id OFFSET 1000",
            "SELECT a_id FROM a ORDER BY a_id OFFSET 3 ROWS FETCH NEXT 2 ROWS ONLY"),
        BROADCAST);
  }

  @Test
  void anOrderMayStandAnywhere() throws Exception {
    DifferentialTest.compare(
        TABLES,
        List.of(
            "SELECT a_id FROM (SELECT a_id, a_k FROM a ORDER BY a_k, a_id) AS x WHERE a_k > 2",
            "SELECT a_id FROM (SELECT * FROM a ORDER BY a_d + a_n LIMIT 1000) AS x",
            "SELECT a_k FROM a WHERE a_k IN (SELECT b_k FROM b ORDER BY b_n)",
            "SELECT a_k FROM a WHERE a_k NOT IN (SELECT b_k FROM b WHERE b_k > 2 ORDER BY b_n)",
            "SELECT a_id FROM a WHERE EXISTS (SELECT 1 FROM b WHERE b_k = a_k ORDER BY b_n)",
            "SELECT a_id, (SELECT MAX(b_n) FROM b WHERE b_k = a_k ORDER BY 1) AS m FROM a",
            "SELECT a_id, (SELECT b_n FROM b ORDER BY b_id LIMIT 1) AS m FROM a",
            "SELECT a_id FROM a, (SELECT b_k FROM b ORDER BY b_n, b_id) AS x WHERE a_k = b_k",
            "WITH s AS (SELECT a_id, a_n FROM a ORDER BY a_n DESC NULLS LAST, a_id LIMIT 5)"
                + " SELECT a_id FROM s",
            "(SELECT a_id FROM a ORDER BY a_id LIMIT 3) UNION ALL"
                + " (SELECT b_id FROM b ORDER BY b_id DESC LIMIT 2)",
            "SELECT a_id FROM a ORDER BY a_d",
            "SELECT a_id FROM a ORDER BY a_d * 2 - a_n",
            "SELECT a_id FROM a ORDER BY -a_id",
            "SELECT a_k, COUNT(*) FROM a GROUP BY a_k ORDER BY SUM(a_n), a_k"),
        List.of(
            "SELECT DISTINCT a_k FROM a ORDER BY a_k NULLS FIRST",
            "SELECT a_id AS x FROM a ORDER BY x DESC",
            "SELECT a_id, a_n FROM a ORDER BY 2 NULLS FIRST, 1 DESC",
            "SELECT a_id FROM a ORDER BY a_d NULLS FIRST, a_id LIMIT 9",
            "SELECT a_s, COUNT(*) AS n FROM a GROUP BY a_s ORDER BY COUNT(*) DESC, a_s NULLS LAST",
            "SELECT a_k AS k FROM a UNION SELECT b_k FROM b ORDER BY k NULLS LAST LIMIT 3"),
        BROADCAST);
  }

  /** Of columns, of constants, with positions of any whole number. */
  @Test
  void queriesCountCodePoints() {
    String face = "\ud83d\ude00";
    Schema schema = Schema.builder().addStringField("s").addInt64Field("n").build();
    MemoryTable table =
        new MemoryTable(
            schema, List.of(Row.withSchema(schema).addValues(face + "p" + face, 2L).build()), 1);
    String functions =
        "CHAR_LENGTH(%1$s), SUBSTRING(%1$s, 1, 1), SUBSTRING(%1$s FROM n), POSITION('p' IN %1$s),"
            + " POSITION('"
            + face
            + "' IN %1$s FROM 2), OVERLAY(%1$s PLACING 'x' FROM 1 FOR 2),"
            + " TRIM(LEADING 'x\ud83d\ude01' FROM %1$s)";

    List<Object> values =
        new SqlRun(Map.of("t", table))
            .run(
                "SELECT "
                    + functions.formatted("s")
                    + ", "
                    + functions.formatted("'" + face + "p" + face + "'")
                    + " FROM t")
            .rows()
            .get(0)
            .getValues();

    List<Object> each = List.of(3, face, "p" + face, 2, 3, "x" + face, face + "p" + face);
    assertThat(values.subList(0, 7)).isEqualTo(each);
    assertThat(values.subList(7, 14)).isEqualTo(each);
  }

  /** The guard of this quotient has casts that cannot fail, and so it is no less a guard. */
  @Test
  void aGuardWithCastsIsAskedBeforeWhatMayFail() {
    Schema schema =
        Schema.builder().addNullableField("s", Schema.FieldType.STRING).addInt32Field("n").build();
    MemoryTable table =
        new MemoryTable(
            schema,
            List.of(
                Row.withSchema(schema).addValues("p", 0).build(),
                Row.withSchema(schema).addValues("p", 50).build(),
                Row.withSchema(schema).addValues(null, 0).build()),
            1);

    assertThat(
            new SqlRun(Map.of("t", table))
                .run(
                    "SELECT c FROM (SELECT CASE WHEN COALESCE(t.s, 'q') = t.s THEN t.n ELSE u.n"
                        + " END AS c FROM t JOIN t AS u ON t.n = u.n) AS v WHERE 100 / c < 20"
                        + " AND c <> 0")
                .rows()
                .get(0)
                .getInt32(0))
        .isEqualTo(50);
  }

  /** Rows may have a time in one of two classes. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "u.n <> t.n AND 100 / (u.n - t.n) > 20",
        "100 / (u.n - t.n) > 20 AND u.n <> t.n",
        "(u.n < -7 OR (100 / (u.n - t.n) > 20 AND u.n <> t.n))",
        "CASE WHEN u.n = t.n THEN FALSE ELSE 100 / (u.n - t.n) > 20 END",
        "100 / (u.n - t.n) > 20 AND u.n <> t.n AND t.z < u.z + INTERVAL '1' SECOND"
      })
  void aConditionOfAJoinWithTimesIsAskedAfterThatWhichKeepsItFromFailing(String condition) {
    Schema schema =
        Schema.builder()
            .addNullableField("n", Schema.FieldType.INT64)
            .addDateTimeField("z")
            .build();
    MemoryTable table =
        new MemoryTable(
            schema,
            List.of(
                Row.withSchema(schema).addValues(1L, Instant.EPOCH).build(),
                Row.withSchema(schema).addValues(4L, Instant.EPOCH).build()),
            1);

    List<Object> joined =
        new SqlRun(Map.of("t", table))
            .run("SELECT t.n, u.n, t.z FROM t JOIN t AS u ON t.z = u.z AND " + condition)
            .rows()
            .get(0)
            .getValues();

    assertThat(joined.subList(0, 2)).isEqualTo(List.of(1L, 4L));
  }
}
