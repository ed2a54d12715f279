// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.ndp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.beam.sdk.extensions.sql.impl.SqlConversionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What only columns can do, and how they fail. */
class ColumnarQueriesTest {

  private static final List<String> QUERIES =
      List.of(
          "SELECT flag, good, SUM(price) AS s, COUNT(*) AS n FROM t GROUP BY ROLLUP (flag, good)",
          "SELECT flag, mode, GROUPING(flag) AS gf, GROUPING(mode) AS gm, MAX(id) AS m FROM t"
              + " GROUP BY CUBE (flag, mode)",
          "SELECT flag, good, CAST(AVG(price) AS DOUBLE) AS a FROM t WHERE id < 50 GROUP BY GROUPING SETS"
              + " ((flag), (good), ())",
          "SELECT flag, SUM(small) AS s FROM t WHERE id < 0 GROUP BY ROLLUP (flag)",
          "SELECT flag, COUNT(*) FILTER (WHERE price > 500) AS n, SUM(small) FILTER (WHERE good)"
              + " AS s FROM t GROUP BY flag",
          "SELECT COUNT(DISTINCT small) AS a, COUNT(DISTINCT mode) AS b, SUM(price) AS c FROM t",
          "SELECT t.id FROM t, (SELECT MAX(price) AS p FROM t) x WHERE t.price = x.p",
          "SELECT id, CAST(price / small AS DOUBLE) AS q FROM t WHERE small > 0 AND price / small > 15.5",
          "SELECT a.flag, COUNT(b.id) AS n FROM t a LEFT JOIN t b ON a.id = b.small AND b.good"
              + " GROUP BY a.flag",
          "SELECT id FROM t WHERE small IN (SELECT small FROM t WHERE price > 999) AND NOT EXISTS"
              + " (SELECT 1 FROM t u WHERE u.id = t.id + 1 AND u.good)",
          "SELECT id, mode FROM t WHERE mode IS NOT NULL ORDER BY price DESC, id LIMIT 7 OFFSET 3",
          "SELECT id, RANK() OVER (PARTITION BY flag ORDER BY price DESC) AS r, ROW_NUMBER() OVER"
              + " (ORDER BY id) AS n FROM t WHERE id < 300",
          "SELECT * FROM (SELECT id, RANK() OVER (ORDER BY id) AS r FROM t) x WHERE id > 39990",
          "SELECT * FROM (SELECT flag, mode, SUM(price) AS s, SUM(SUM(price)) OVER (PARTITION BY"
              + " flag) AS f, CAST(AVG(SUM(price)) OVER (PARTITION BY mode) AS DOUBLE) AS a FROM t"
              + " GROUP BY flag, mode) x WHERE s > a",
          "SELECT id, SUM(small) OVER (PARTITION BY flag ORDER BY id ROWS BETWEEN 2 PRECEDING AND"
              + " CURRENT ROW) AS s, MAX(price) OVER (ORDER BY shipped) AS m, COUNT(*) OVER"
              + " (PARTITION BY small ORDER BY good) AS c FROM t WHERE id < 500",
          "SELECT SUBSTRING(mode FROM 2 FOR 3) AS m, flag || '-' || mode AS f, ABS(small - 25) AS a"
              + " FROM t WHERE id BETWEEN 3 AND 40");

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

  @Test
  void giveWhatDuckDbGives() throws Exception {
    files.assertAnswers(
        new NdpRuns(files.ddl("parquet"), "--slots=2", "--columnarMemoryMb=300"), QUERIES);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void giveTheSameInTasksThatExchangeBatches(boolean keepExchanges) throws Exception {
    files.assertAnswers(
        new NdpRuns(
            files.ddl("parquet"),
            "--slots=2",
            "--columnar=distributed",
            "--passOptions=keepExchanges=" + keepExchanges),
        QUERIES);
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "distributed"})
  void giveTheSameOverACollection(String columnar) throws Exception {
    files.assertAnswers(
        NdpRuns.overCollection(files.ddl("parquet"), "--slots=2", "--columnar=" + columnar),
        QUERIES);
  }

  /**
   * What the engine's operators gave, and what it expected; of the parts that tasks do, the sum.
   */
  @ParameterizedTest
  @ValueSource(strings = {"auto", "distributed"})
  void rowsOfOperatorsAreMetricsOfTheJob(String columnar) throws Exception {
    String query = "SELECT flag, COUNT(*) AS n FROM t WHERE id < 300 GROUP BY flag";
    NdpRuns.Outcome outcome =
        new NdpRuns(
                files.ddl("parquet"),
                "--slots=2",
                "--columnar=" + columnar,
                "--passOptions=keepExchanges=true")
            .outcome(List.of(query));
    assertThat(outcome.rows().get(query)).hasSize(3);
    assertThat(outcome.counters())
        .anySatisfy(
            (name, rows) -> {
              assertThat(name).matches("rows \\d+ .*GROUP_BY");
              assertThat(rows).isEqualTo(3);
            })
        .anySatisfy(
            (name, rows) -> {
              assertThat(name).matches("estimatedRows \\d+ .*GROUP_BY");
              assertThat(rows).isPositive();
            });
  }

  @Test
  void groupingsOfNoRowsHaveTheirRow() throws Exception {
    String query =
        "SELECT flag, COUNT(*) AS n, SUM(price) AS s FROM t WHERE id < 0 GROUP BY ROLLUP (flag)";
    assertThat(NdpRuns.overCollection(files.ddl("parquet")).run(List.of(query)).get(query))
        .isEqualTo(files.answer(query))
        .containsExactly("null|0|null");
  }

  @Test
  void inRowsSomeAreRefused() {
    assertThatThrownBy(
            () -> new NdpRuns(files.ddl("parquet"), "--columnar=off").run(QUERIES.subList(0, 1)))
        .isInstanceOf(SqlConversionException.class)
        .hasMessageContaining("GROUPING SETS, ROLLUP and CUBE are not supported");
    assertThatThrownBy(
            () -> new NdpRuns(files.ddl("parquet"), "--columnar=off").run(QUERIES.subList(4, 5)))
        .isInstanceOf(SqlConversionException.class)
        .hasMessageContaining("FILTER");
  }

  @Test
  void aDivisionByZeroFailsTheJob() {
    assertThatThrownBy(
            () ->
                new NdpRuns(files.ddl("parquet"))
                    .run(List.of("SELECT SUM(price / (id - 7)) FROM t")))
        .hasStackTraceContaining("division by zero");
  }

  @Test
  void aFileThatIsCutOffIsNamed() throws Exception {
    Path whole = directory.resolve("parquet/a.parquet");
    Path cut = Files.createDirectory(directory.resolve("cut")).resolve("cut.parquet");
    byte[] bytes = Files.readAllBytes(whole);
    Files.write(cut, Arrays.copyOf(bytes, bytes.length / 2));
    assertThatThrownBy(
            () ->
                new NdpRuns(files.ddl("parquet", cut.toString()))
                    .run(List.of("SELECT COUNT(*) AS n FROM t")))
        .hasStackTraceContaining("cut.parquet");
  }

  @Test
  void anotherUseOfColumnsIsRefused() {
    assertThatThrownBy(
            () ->
                new NdpRuns(files.ddl("parquet"), "--columnar=yes")
                    .run(List.of("SELECT COUNT(*) AS n FROM t")))
        .hasStackTraceContaining("--columnar=yes is not known. Use auto, distributed or off.");
  }

  @Test
  void optionsOfExchangesAreChecked() {
    assertThatThrownBy(
            () ->
                new NdpRuns(
                        files.ddl("parquet"), "--columnar=distributed", "--exchangePartitions=-1")
                    .run(List.of("SELECT COUNT(*) AS n FROM t")))
        .hasStackTraceContaining("--exchangePartitions=-1");
    assertThatThrownBy(
            () ->
                new NdpRuns(files.ddl("parquet"), "--columnar=distributed", "--columnarPieceMb=0")
                    .run(List.of("SELECT ABS(id) AS a FROM t ORDER BY a LIMIT 3")))
        .hasStackTraceContaining("--columnarPieceMb=0");
  }
}
