// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.beam.sdk.extensions.sql.meta.BeamSqlTable;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.Field;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.values.Row;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Values at the limits of their types mean the same in rows and in columns. */
@Tag("slow")
class LimitsTest {

  private static final Schema SCHEMA =
      Schema.builder()
          .addFields(
              Field.of("id", FieldType.INT64),
              Field.of("k", FieldType.INT64),
              Field.of("n", FieldType.INT32),
              Field.of("d", FieldType.DECIMAL),
              Field.of("x", FieldType.DOUBLE),
              Field.of("s", FieldType.STRING))
          .build();

  private static final Map<String, MemoryTable> TABLES =
      Map.of(
          "t",
          new MemoryTable(
              SCHEMA,
              List.of(
                  row(1, Integer.MAX_VALUE, "99999999999999.9999", Double.NaN, "\ud83d\ude00"),
                  row(2, 0, "0.0001", -0.0, "\ufffd"),
                  row(3, 7, "-3.0000", 0.0, "p"),
                  row(4, 50, "4.0000", 2.5, "p")),
              1_000_000));

  @TempDir private static Path directory;

  private static Map<String, BeamSqlTable> files;

  private static Row row(long id, int n, String d, double x, String s) {
    return Row.withSchema(SCHEMA).addValues(id, 1L, n, new BigDecimal(d), x, s).build();
  }

  @BeforeAll
  static void writeFiles() throws SQLException {
    try (DuckDb duckDb = new DuckDb(TABLES)) {
      files = duckDb.parquetTables(TABLES, directory);
    }
  }

  /** What comes of a query: in rows, in columns, in columns that are exchanged or could be. */
  private static List<Outcome> outcomes(String query) {
    return Stream.of(
            new SqlRun(Map.copyOf(TABLES)),
            new SqlRun(files),
            new SqlRun(
                files,
                "--columnar=distributed",
                "--exchangePartitions=3",
                "--passOptions=keepExchanges=true"),
            new SqlRun(files, "--columnar=distributed"))
        .map(run -> Outcome.of(() -> run.run(query).ordered(), true))
        .toList();
  }

  private static void assertYields(String query, List<?>... rows) {
    assertThat(outcomes(query))
        .extracting(Outcome::rows)
        .allSatisfy(found -> assertThat(found).isEqualTo(List.of(rows)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT COUNT(*) FROM t WHERE n + 1 > 3",
        "SELECT COUNT(*) FROM t WHERE n * 2 > 3",
        "SELECT k, COUNT(*) FROM t WHERE n - (-1) >= 0 GROUP BY k",
        "SELECT COUNT(*) FROM (SELECT 2147483647 AS m, id FROM t) AS u WHERE m + m > 5 OR id > 9"
      })
  void aConstantIsNotMovedOutOfASumThatDoesNotFit(String query) {
    assertThat(outcomes(query)).extracting(Outcome::kind).containsOnly(Outcome.Kind.OVERFLOW);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT COUNT(*) FROM t WHERE 100 / n > 1 AND n <> 0",
        "SELECT COUNT(*) FROM t WHERE n <> 0 AND 100 / n > 1",
        "SELECT SUM(CASE WHEN 100 / n > 1 AND n <> 0 THEN 1 ELSE 0 END) FROM t",
        "SELECT SUM(CASE WHEN n = 0 OR 100 / n <= 1 THEN 0 ELSE 1 END) FROM t",
        "SELECT SUM(CASE WHEN 100 / n <= 1 OR n = 0 THEN 0 ELSE 1 END) FROM t",
        "SELECT COUNT(*) FROM t WHERE (100 / n > 1 AND n <> 0) IS TRUE",
        "SELECT COUNT(*) FROM t JOIN t AS u ON t.id = u.id"
            + " WHERE t.n IN (7, 50) AND 100 / t.n > 1 AND t.n <> 0",
        "SELECT COUNT(*) FROM t WHERE 100 / ABS(n) > 1 AND ABS(n) <> 0",
        "SELECT COUNT(*) FROM t WHERE ABS(n) <> 0 AND 100 / ABS(n) > 1",
        "SELECT SUM(CASE WHEN 100 / MOD(n, 1000) > 1 AND MOD(n, 1000) <> 0 THEN 1 ELSE 0 END)"
            + " FROM t",
        "SELECT SUM(CASE WHEN 100 / MOD(n, 1000) <= 1 OR MOD(n, 1000) = 0 THEN 0 ELSE 1 END)"
            + " FROM t",
        "SELECT COUNT(n * n) FROM t WHERE TRIM(s) = 'p'",
        "SELECT COUNT(m) FROM (SELECT n * n AS m FROM t WHERE UPPER(s) = 'P') AS u",
        "SELECT COUNT(*) FROM t JOIN (SELECT 1 AS j, 0 AS m) AS u ON k = j"
            + " AND 100 / (n - m) > 1 AND n <> m"
      })
  void conditionsThatMayFailComeLast(String query) {
    assertThat(outcomes(query))
        .extracting(Outcome::rows)
        .allSatisfy(rows -> assertThat(rows.get(0).get(0).toString()).isEqualTo("2"));
  }

  @Test
  void quotientsHaveRoomForDecimalsOf64Bits() {
    assertYields(
        "SELECT id, 100 / d AS q, COUNT(*) AS c FROM t WHERE id IN (1, 4) GROUP BY id, d"
            + " ORDER BY id",
        List.of(1L, new BigDecimal("1.0000000000E-12").stripTrailingZeros(), 1L),
        List.of(4L, new BigDecimal("25").stripTrailingZeros(), 1L));
  }

  @Test
  void groupsOfAllRowsAreThereWhereThereIsNone() {
    assertYields(
        "SELECT GROUPING(k) AS g, AVG(COALESCE(d, 99999999999999.9999)) AS a FROM t WHERE id > 9"
            + " GROUP BY GROUPING SETS ((k, n), (n), ())",
        Arrays.asList(1L, null));
  }

  @Test
  void textsAreOrderedByTheirCodePoints() {
    assertYields("SELECT MAX(s) AS m FROM t", List.of("\ud83d\ude00"));
    assertYields("SELECT id, s FROM t ORDER BY s DESC, id LIMIT 1", List.of(1L, "\ud83d\ude00"));
    assertYields("SELECT COUNT(*) AS c FROM t WHERE s > U&'\\ffff'", List.of(1L));
    assertYields("SELECT id FROM t WHERE s > U&'\\ffff'", List.of(1L));
  }

  @Test
  void nanIsLargerThanAllNumbersAndEqualToItself() {
    assertYields("SELECT id, TRIM(s) AS s FROM t WHERE x > 2.5E0", List.of(1L, "\ud83d\ude00"));
    assertYields("SELECT COUNT(*) AS c FROM t WHERE x = x", List.of(4L));
    assertYields("SELECT COUNT(*) AS c FROM t WHERE x <= 0E0", List.of(2L));
    assertYields("SELECT MAX(x) AS m FROM t", List.of(Double.NaN));
  }

  @ParameterizedTest
  @CsvSource({"x, 2", "x + 0.25E0, 2", "0E0 - x - 0.25E0, -2", "x * 1E9, 2500000000"})
  void aDoubleBecomesAWholeNumberWithoutItsFraction(String value, long whole) {
    assertYields("SELECT CAST(" + value + " AS BIGINT) AS b FROM t WHERE id = 4", List.of(whole));
    assertYields(
        "SELECT SUM(CAST(" + value + " AS BIGINT)) AS s FROM t WHERE id = 4 GROUP BY k",
        List.of(whole));
  }

  @Test
  void bothZerosAreOneInAnOrder() {
    assertYields(
        "SELECT id, x FROM t ORDER BY x, id DESC LIMIT 2", List.of(3L, 0.0), List.of(2L, -0.0));
  }

  @Test
  void aRemainderOfALongByAnIntIsPlanned() {
    assertYields("SELECT MOD(9223372036854775807, -2) AS m FROM t WHERE id = 1", List.of(1L));
  }

  @Test
  void windowsAreOfATableThatIsReadInPart() {
    assertYields(
        "SELECT id, RANK() OVER (PARTITION BY k ORDER BY n) AS r FROM t ORDER BY id",
        List.of(1L, 4L),
        List.of(2L, 1L),
        List.of(3L, 2L),
        List.of(4L, 3L));
  }
}
