// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.ndp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.beam.sql.row.CompactRowCoder;
import dev.anemone.beam.sql.row.DecimalDigits;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.beam.sdk.transforms.WithTimestamps;
import org.apache.beam.sdk.transforms.windowing.FixedWindows;
import org.apache.beam.sdk.transforms.windowing.Window;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.Row;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Queries of collections and of nothing else run in columns where that is worth it. */
@Tag("slow")
class CollectionsAloneTest {

  private static final List<String> QUERIES =
      List.of(
          "SELECT a.flag, COUNT(*) AS n, SUM(b.price * b.discount) AS s FROM t a JOIN t b ON a.id ="
              + " b.small WHERE a.ratio > 3 GROUP BY a.flag",
          "SELECT a.mode, MAX(b.shipped) AS d, SUM(b.price) AS p FROM t a LEFT JOIN t b ON a.id ="
              + " b.small AND b.good WHERE a.id < 60 GROUP BY a.mode",
          "SELECT COUNT(*) AS n FROM t WHERE id IN (SELECT small FROM t WHERE price > 500)",
          "SELECT flag, good, COUNT(*) AS n, SUM(price) AS s FROM t GROUP BY ROLLUP (flag, good)",
          "SELECT flag, good, COUNT(*) AS n FROM t GROUP BY CUBE (flag, good)",
          "SELECT * FROM (SELECT id, flag, RANK() OVER (PARTITION BY small ORDER BY price DESC) AS r"
              + " FROM t) x WHERE r <= 2",
          "SELECT x.small, x.n, y.s FROM (SELECT small, COUNT(*) AS n FROM t GROUP BY small) x JOIN"
              + " (SELECT a.small, SUM(b.price) AS s FROM t a JOIN t b ON a.id = b.small GROUP BY"
              + " a.small) y ON x.small = y.small",
          "SELECT COUNT(*) AS n, SUM(a.price) AS s FROM t a JOIN t b ON a.id = b.small WHERE a.id <"
              + " 0");

  @TempDir private static Path directory;
  private static NdpFiles files;

  @BeforeAll
  static void write() throws Exception {
    files = new NdpFiles(directory, 10_000);
  }

  @AfterAll
  static void close() throws Exception {
    files.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "distributed"})
  void giveWhatDuckDbGives(String columnar) throws Exception {
    Map<String, List<String>> results =
        runs(CollectionsAloneTest::declared, "--columnar=" + columnar).run(QUERIES);
    for (String query : QUERIES) {
      assertThat(results.get(query)).as(query).isEqualTo(files.answer(query)).isNotEmpty();
    }
  }

  @Test
  void runInColumns() {
    for (String query : QUERIES) {
      assertThat(runs(CollectionsAloneTest::declared).partsInColumns(query)).as(query).isEqualTo(1);
      if (!query.contains("ROLLUP") && !query.contains("CUBE") && !query.contains("OVER")) {
        assertThat(runs(CollectionsAloneTest::declared, "--columnar=off").partsInColumns(query))
            .isZero();
      }
    }
  }

  /** Rows of a group would only be made batches to be made rows again, or are combined as well. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT id, mode FROM t WHERE good",
        "SELECT flag, COUNT(*) AS n FROM t GROUP BY flag",
        "SELECT small, COUNT(DISTINCT flag) AS f FROM t GROUP BY small",
        "SELECT a.id, b.mode FROM t a JOIN t b ON a.id = b.small",
        "SELECT id FROM t ORDER BY price LIMIT 3"
      })
  void stayRowsWhereThatIsNotWorthIt(String query) {
    assertThat(runs(CollectionsAloneTest::declared).partsInColumns(query)).isZero();
  }

  @Test
  void withoutDigitsDecimalsStayRows() throws Exception {
    String query = QUERIES.get(0);
    assertThat(runs(UnaryOperator.identity()).partsInColumns(query)).isZero();
    assertThat(runs(UnaryOperator.identity()).run(List.of(query)).get(query))
        .isEqualTo(files.answer(query));
    assertThat(runs(UnaryOperator.identity()).partsInColumns(QUERIES.get(4))).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({"3, 2, price", "15, 1, price"})
  void aDecimalWithMoreDigitsIsNamed(int precision, int scale, String column) {
    assertThatThrownBy(
            () -> runs(rows -> declared(rows, precision, scale)).run(List.of(QUERIES.get(0))))
        .hasStackTraceContaining(
            "column " + column + " is decimal(" + precision + "," + scale + "), which ")
        .hasStackTraceContaining(" does not fit");
  }

  @Test
  void withWindowsStayInThem() throws Exception {
    UnaryOperator<PCollection<Row>> windows =
        rows ->
            declared(rows)
                .apply(
                    "Times of " + rows.getName(),
                    WithTimestamps.of(row -> Instant.ofEpochMilli(row.getInt64("id") / 5_000)))
                .apply(
                    "Windows of " + rows.getName(),
                    Window.into(FixedWindows.of(Duration.millis(1))));
    List<String> inRows = List.of(QUERIES.get(0), QUERIES.get(2), QUERIES.get(6));
    Map<String, List<String>> results = runs(windows).run(inRows);

    assertThat(results).isEqualTo(runs(windows, "--columnar=off").run(inRows));
    assertThat(results.get(QUERIES.get(0))).isNotEqualTo(files.answer(QUERIES.get(0)));
    for (String query : inRows) {
      assertThat(runs(windows).partsInColumns(query)).isZero();
    }
  }

  private static PCollection<Row> declared(PCollection<Row> rows) {
    return declared(rows, 15, 2);
  }

  private static PCollection<Row> declared(PCollection<Row> rows, int precision, int scale) {
    return rows.setCoder(
        CompactRowCoder.of(DecimalDigits.declared(rows.getSchema(), precision, scale)));
  }

  private static NdpRuns runs(UnaryOperator<PCollection<Row>> change, String... options) {
    List<String> all = new ArrayList<>(List.of(options));
    all.add("--slots=2");
    return NdpRuns.overCollection(files.ddl("parquet"), change, all.toArray(new String[0]));
  }
}
