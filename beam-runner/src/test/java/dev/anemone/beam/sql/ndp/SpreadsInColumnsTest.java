// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.ndp;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Variances and correlations beside what only columns can do give what DuckDB gives. */
class SpreadsInColumnsTest {

  private static final List<String> QUERIES =
      List.of(
          "SELECT flag, good, STDDEV_POP(ratio) AS a, VAR_SAMP(small) AS b, CORR(ratio, small) AS c,"
              + " COVAR_POP(small, id) AS d, CAST(STDDEV_SAMP(price) AS DOUBLE) AS e FROM t GROUP BY"
              + " ROLLUP (flag, good)",
          "SELECT flag, STDDEV_SAMP(ratio) FILTER (WHERE small > 3) AS a, VAR_POP(DISTINCT small) AS"
              + " b, MEDIAN(ratio) AS c, CORR(small, small) AS d, COVAR_SAMP(ratio, small) AS e FROM"
              + " t GROUP BY flag",
          "SELECT VAR_SAMP(small) AS a, MEDIAN(small) AS b, STDDEV_POP(small) AS c FROM t WHERE id = 1",
          "SELECT id, STDDEV_SAMP(ratio) OVER (PARTITION BY flag ORDER BY id) AS a, VAR_POP(small)"
              + " OVER (PARTITION BY mode) AS b, CAST(STDDEV_POP(price) OVER (PARTITION BY flag) AS"
              + " DOUBLE) AS c FROM t",
          "SELECT DISTINCT ROUND(VAR_SAMP(ratio + 1E9) OVER (PARTITION BY flag), 3) AS a FROM t");

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

  /** DuckDB has "not a number" there. */
  @Test
  void whatIsTheSameInAllRowsCorrelatesWithNothing() throws Exception {
    String query = "SELECT CORR(small, 7) AS a, MEDIAN(id) AS b FROM t";
    assertThat(new NdpRuns(files.ddl("parquet")).run(List.of(query)).get(query))
        .isEqualTo(files.answer(query.replace("CORR(small, 7)", "NULL")));
  }
}
