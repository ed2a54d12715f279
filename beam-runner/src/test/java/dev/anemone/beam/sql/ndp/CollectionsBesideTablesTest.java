// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.ndp;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.transforms.windowing.FixedWindows;
import org.apache.beam.sdk.transforms.windowing.Window;
import org.joda.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows that others make, joined with tables in columns. */
class CollectionsBesideTablesTest {

  private static final String COLLECTION =
      "SELECT id, small, ratio, flag, mode, shipped, good FROM t WHERE MOD(id, 3) = 0";

  private static final List<String> QUERIES =
      List.of(
          "SELECT t.flag, COUNT(*) AS n, SUM(c.small) AS s FROM t JOIN c ON t.id = c.small"
              + " GROUP BY t.flag",
          "SELECT c.id, t.mode FROM c LEFT JOIN t ON c.id = t.id + 20000 AND t.good WHERE c.id >"
              + " 39000",
          "SELECT COUNT(*) AS n, COUNT(c.id) AS a, COUNT(t.id) AS b FROM c FULL JOIN t ON c.id ="
              + " t.small",
          "SELECT id, mode FROM t WHERE id IN (SELECT small FROM c WHERE ratio > 3)",
          "SELECT flag, COUNT(*) AS n FROM (SELECT flag FROM t UNION ALL SELECT mode FROM c) x"
              + " GROUP BY flag",
          "SELECT a.flag, b.flag AS g, COUNT(*) AS n FROM t a JOIN c ON a.id = c.id JOIN t b ON b.id"
              + " = c.small GROUP BY a.flag, b.flag",
          "SELECT t.id, x.n FROM t JOIN (SELECT small, COUNT(*) AS n FROM c GROUP BY small) x ON"
              + " t.id = x.small",
          "SELECT t.flag, COUNT(*) AS n FROM c x JOIN c y ON x.id = y.id + 3 JOIN t ON t.id ="
              + " x.small GROUP BY t.flag",
          "SELECT MAX(c.ratio) AS r, MIN(t.shipped) AS d FROM c JOIN t ON c.shipped = t.shipped AND"
              + " c.good = t.good",
          "SELECT t.id, c.id AS other FROM t LEFT JOIN c ON t.id = c.id AND c.id < 0 WHERE t.id < 9",
          "SELECT COUNT(*) AS n, SUM(c.small) AS s FROM t JOIN c ON t.id = c.id AND c.id < 0");

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
  @ValueSource(strings = {"auto", "distributed", "windows"})
  void giveWhatDuckDbGives(String how) throws Exception {
    Map<String, List<String>> results = runs(how).run(QUERIES);
    for (String query : QUERIES) {
      assertThat(results.get(query))
          .as(query)
          .isEqualTo(
              files.answer(
                  "WITH c AS (" + COLLECTION.replace("MOD(id, 3)", "id % 3") + ") " + query))
          .isNotEmpty();
    }
  }

  @Test
  void allRunInColumns() {
    for (String query : QUERIES) {
      assertThat(runs("auto").partsInColumns(query)).as(query).isEqualTo(1);
    }
  }

  @Test
  void whereNoTableIsJoinedRowsStayRows() {
    assertThat(runs("auto").partsInColumns("SELECT x.id FROM c x JOIN c y ON x.id = y.small"))
        .isZero();
    assertThat(runs("auto").partsInColumns("SELECT flag, COUNT(*) AS n FROM c GROUP BY flag"))
        .isZero();
  }

  @Test
  void aSideThatCannotBeSaidIsMadeInRows() throws Exception {
    String query =
        "SELECT a.flag, COUNT(*) AS n FROM t a JOIN (SELECT id, UPPER(mode) AS m FROM t) b ON a.id ="
            + " b.id AND b.m = 'MAIL' GROUP BY a.flag";
    NdpRuns runs = new NdpRuns(files.ddl("parquet"), "--slots=2");
    assertThat(runs.run(List.of(query)).get(query)).isEqualTo(files.answer(query)).isNotEmpty();
    assertThat(runs.partsInColumns(query)).isEqualTo(1);
  }

  private static NdpRuns runs(String how) {
    boolean windows = how.equals("windows");
    return NdpRuns.besideCollection(
        files.ddl("parquet"),
        COLLECTION,
        rows ->
            windows
                ? rows.apply(
                    "Windows of " + rows.getName(),
                    Window.into(FixedWindows.of(Duration.standardMinutes(1))))
                : rows,
        "--slots=2",
        "--columnar=" + (windows ? "auto" : how));
  }
}
