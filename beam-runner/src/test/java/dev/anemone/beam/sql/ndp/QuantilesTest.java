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

/** Medians and percentiles give what DuckDB gives, wherever they are run. */
class QuantilesTest {

  private static final List<String> QUERIES =
      List.of(
          "SELECT flag, PERCENTILE_CONT(0.3) WITHIN GROUP (ORDER BY small) AS a,"
              + " PERCENTILE_DISC(0.25) WITHIN GROUP (ORDER BY price DESC) AS b, MEDIAN(ratio) AS c,"
              + " COUNT(*) AS n FROM t GROUP BY flag",
          "SELECT flag, good, PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY ratio) FILTER (WHERE small"
              + " > 10) AS a, COUNT(DISTINCT small) AS b FROM t GROUP BY ROLLUP (flag, good)",
          "SELECT MEDIAN(small) AS a, PERCENTILE_DISC(1) WITHIN GROUP (ORDER BY id) AS b,"
              + " PERCENTILE_DISC(0) WITHIN GROUP (ORDER BY id) AS c, MEDIAN(ratio) FILTER (WHERE id"
              + " < 0) AS d FROM t",
          "SELECT MEDIAN(small) AS a, PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY id) AS b FROM t"
              + " WHERE id < 0",
          "SELECT x.flag, MEDIAN(y.small) - MEDIAN(x.small) AS a FROM t x JOIN t y ON x.id = y.id + 1"
              + " GROUP BY x.flag HAVING MEDIAN(x.id) > 100");

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
    files.assertAnswers(
        new NdpRuns(files.ddl("parquet"), "--slots=2", "--columnar=" + columnar), QUERIES);
  }

  @Test
  void giveTheSameOverACollection() throws Exception {
    files.assertAnswers(NdpRuns.overCollection(files.ddl("parquet"), "--slots=2"), QUERIES);
  }

  /** Between two decimals lies a double, not a decimal of their digits. */
  @Test
  void aContinuousQuantileOfDecimalsIsADouble() throws Exception {
    String median = "SELECT MEDIAN(%s) AS a FROM t WHERE id < 4";
    String ours = median.formatted("price");
    assertThat(new NdpRuns(files.ddl("parquet")).run(List.of(ours)).get(ours))
        .isEqualTo(files.answer(median.formatted("CAST(price AS DOUBLE)")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT PERCENTILE_CONT(1.5) WITHIN GROUP (ORDER BY id) AS a FROM t",
        "SELECT PERCENTILE_CONT(id) WITHIN GROUP (ORDER BY id) AS a FROM t",
        "SELECT MEDIAN(flag) AS a FROM t",
        "SELECT MEDIAN(id, id) AS a FROM t"
      })
  void whatHasNoQuantileIsNoQuery(String query) {
    assertThatThrownBy(() -> new NdpRuns(files.ddl("parquet")).run(List.of(query)))
        .hasMessageContaining("Unable to parse query");
  }

  @Test
  void areRefusedInRows() {
    String query = "SELECT MEDIAN(id) AS a FROM t";
    assertThatThrownBy(
            () -> new NdpRuns(files.ddl("parquet"), "--columnar=off").run(List.of(query)))
        .isInstanceOf(SqlConversionException.class)
        .hasMessageContaining("is not supported in rows. Columns need ");
  }
}
