// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.ndp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.apache.beam.sdk.extensions.sql.impl.SqlConversionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Analytic functions give what DuckDB gives, wherever they are run. */
class AnalyticFunctionsTest {

  private static final List<String> QUERIES =
      List.of(
          "SELECT id, LAG(small) OVER (PARTITION BY flag ORDER BY id) AS a, LEAD(mode, 2) OVER"
              + " (PARTITION BY flag ORDER BY id) AS b FROM t",
          "SELECT id, LAG(price, 3, 0) OVER (ORDER BY id) AS a, LEAD(small, 1, id) OVER (ORDER BY"
              + " id) AS b, LAG(id, 0) OVER (ORDER BY id) AS c FROM t",
          "SELECT id, FIRST_VALUE(price) OVER (PARTITION BY flag ORDER BY id) AS a,"
              + " LAST_VALUE(shipped) OVER (PARTITION BY flag ORDER BY id ROWS BETWEEN 1 PRECEDING"
              + " AND 1 FOLLOWING) AS b, NTH_VALUE(mode, 2) OVER (PARTITION BY small ORDER BY id)"
              + " AS c FROM t",
          "SELECT id, NTILE(7) OVER (PARTITION BY flag ORDER BY id) AS a, PERCENT_RANK() OVER"
              + " (PARTITION BY flag ORDER BY price) AS b, CUME_DIST() OVER (PARTITION BY mode"
              + " ORDER BY shipped DESC) AS c FROM t",
          "SELECT id, CASE WHEN good THEN price ELSE 0 END AS a, COUNT(*) OVER (PARTITION BY flag"
              + " ORDER BY id) AS b FROM t",
          "SELECT id, FIRST_VALUE(good) OVER (ORDER BY id ROWS BETWEEN 2 FOLLOWING AND 5 FOLLOWING)"
              + " AS a FROM t",
          "SELECT id, COUNT(*) OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS n"
              + " FROM t");

  /** Some of their parts have no form in columns, and are computed in rows. */
  private static final List<String> PARTLY =
      List.of(
          "SELECT id, POWER(RANK() OVER (PARTITION BY flag ORDER BY id), 2) AS a FROM t",
          "SELECT id, UPPER(mode) AS a, SUM(small) OVER (PARTITION BY LOWER(mode) ORDER BY id) AS b"
              + " FROM t",
          "SELECT * FROM (SELECT id, UPPER(flag) AS f, ROW_NUMBER() OVER (PARTITION BY flag ORDER BY"
              + " id) AS n FROM t) x WHERE UPPER(f) = 'A' AND n < 4");

  @TempDir private static Path directory;
  private static NdpFiles files;

  @BeforeAll
  static void write() throws Exception {
    files = new NdpFiles(directory, 3_000);
  }

  @AfterAll
  static void close() throws Exception {
    files.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "distributed"})
  void giveWhatDuckDbGives(String columnar) throws Exception {
    NdpRuns runs = new NdpRuns(files.ddl("parquet"), "--slots=2", "--columnar=" + columnar);
    files.assertAnswers(runs, QUERIES);
    files.assertAnswers(runs, PARTLY);
  }

  @Test
  void giveTheSameOverACollection() throws Exception {
    NdpRuns runs = NdpRuns.overCollection(files.ddl("parquet"), "--slots=2");
    files.assertAnswers(runs, QUERIES);
    files.assertAnswers(runs, PARTLY);
  }

  /** Values that are NULL are passed over. */
  @Test
  void nullsAreIgnoredWhereTheQuerySaysSo() throws Exception {
    String function = "LAST_VALUE(mode %s) OVER (ORDER BY id) AS a FROM t";
    String ours = "SELECT id, " + function.replace("mode %s)", "mode) IGNORE NULLS");
    String duckDbs = "SELECT id, " + function.replace("%s", "IGNORE NULLS");
    assertThat(new NdpRuns(files.ddl("parquet")).run(List.of(ours)).get(ours))
        .isEqualTo(files.answer(duckDbs))
        .isNotEqualTo(files.answer(duckDbs.replace("IGNORE NULLS", "")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT LAG(id, small) OVER (ORDER BY id) AS a FROM t",
        "SELECT SUM(id) OVER (ORDER BY id ROWS BETWEEN 2 PRECEDING AND 2 FOLLOWING EXCLUDE CURRENT"
            + " ROW) AS a FROM t"
      })
  void whatIsNotSaidIsRefused(String query) {
    assertThatThrownBy(() -> new NdpRuns(files.ddl("parquet")).run(List.of(query)))
        .isInstanceOf(SqlConversionException.class)
        .hasMessageContaining("are not supported in rows. What kept the query from columns: ");
  }

  /** What Beam's planner knows it runs in rows. */
  @Test
  void inRowsThereAreThoseOfBeam() throws Exception {
    NdpRuns rows = new NdpRuns(files.ddl("parquet"), "--columnar=off");
    String query = "SELECT id, RANK() OVER (PARTITION BY flag ORDER BY id) AS r FROM t";
    assertThat(rows.run(List.of(query)).get(query)).isEqualTo(files.answer(query));
    assertThatThrownBy(() -> rows.run(List.of("SELECT id, LAG(id) OVER (ORDER BY id) AS a FROM t")))
        .isInstanceOf(SqlConversionException.class)
        .hasMessageContaining(
            "The analytic functions (OVER) LAG are not supported in rows. Columns need ");
  }
}
