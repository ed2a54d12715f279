// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.ndp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.extensions.sql.meta.Table;
import org.apache.beam.sdk.extensions.sql.meta.provider.parquet.ParquetTableProvider;
import org.apache.beam.sdk.schemas.Schema;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables of Beam's {@code TYPE parquet} are read in splits, and have the rows that Beam reads. */
class ParquetTablesTest {

  /** Of the types that Beam's reader knows, too. */
  private static final String COLUMNS =
      "id BIGINT, small INTEGER, ratio DOUBLE, flag VARCHAR, mode VARCHAR, good BOOLEAN";

  private static final List<String> QUERIES =
      List.of(
          "SELECT * FROM t",
          "SELECT flag, good, COUNT(*) AS n, SUM(small) AS s, MIN(mode) AS m FROM t WHERE id < 9000"
              + " GROUP BY flag, good",
          "SELECT a.flag, COUNT(*) AS n FROM t a JOIN t b ON a.id = b.id WHERE b.ratio > 3.5"
              + " GROUP BY a.flag",
          "SELECT id, mode FROM t WHERE mode LIKE 'AIR%' AND id BETWEEN 100 AND 140");

  private static final List<String> QUERIES_OF_OURS =
      List.of(
          "SELECT flag, SUM(price * discount) AS s, MAX(shipped) AS m FROM t WHERE shipped >="
              + " DATE '1994-01-01' GROUP BY flag",
          "SELECT id FROM t WHERE price IN (SELECT MAX(price) FROM t WHERE good)",
          "SELECT flag, good, COUNT(*) AS n FROM t GROUP BY ROLLUP (flag, good)");

  @TempDir private static Path directory;
  private static NdpFiles files;
  private static Map<String, List<String>> plannedByBeam;
  private static Map<String, List<String>> readByBeam;

  @BeforeAll
  static void write() throws Exception {
    files = new NdpFiles(directory);
    String ddl = ddl(COLUMNS, directory.resolve("parquet") + "/", "");
    plannedByBeam = NdpRuns.plannedByBeam(ddl).run(QUERIES);
    readByBeam = new NdpRuns(ddl, "--columnar=off").run(QUERIES);
  }

  @AfterAll
  static void close() throws Exception {
    files.close();
  }

  private static String ddl(String columns, String location, String properties) {
    return "CREATE EXTERNAL TABLE t ("
        + columns
        + ") TYPE parquet LOCATION '"
        + location
        + "'"
        + (properties.isEmpty() ? "" : " TBLPROPERTIES '" + properties + "'");
  }

  private static String plan(String ddl, String query, String... options) {
    return new DeclaredPlans(List.of(new ParquetTableProvider()), options).of(ddl, query);
  }

  @ParameterizedTest
  @CsvSource({"auto, /", "distributed, /", "auto, /*.parquet", "auto, ''"})
  void haveTheRowsThatBeamReads(String columnar, String suffix) {
    Map<String, List<String>> inSplits =
        new NdpRuns(
                ddl(COLUMNS, directory.resolve("parquet") + suffix, ""),
                "--slots=2",
                "--columnar=" + columnar)
            .run(QUERIES);
    for (String query : QUERIES) {
      assertThat(inSplits.get(query))
          .as(query)
          .isEqualTo(plannedByBeam.get(query))
          .isEqualTo(readByBeam.get(query))
          .isNotEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "distributed"})
  void haveColumnsThatBeamCannotRead(String columnar) throws Exception {
    Map<String, List<String>> results =
        new NdpRuns(
                ddl(
                    NdpFiles.COLUMNS,
                    directory.resolve("parquet") + "/",
                    "{\"decimals\": \"15,2\"}"),
                "--slots=2",
                "--columnar=" + columnar)
            .run(QUERIES_OF_OURS);
    for (String query : QUERIES_OF_OURS) {
      assertThat(results.get(query)).as(query).isEqualTo(files.answer(query)).isNotEmpty();
    }
  }

  @Test
  void haveTimesOfMilliseconds() throws Exception {
    Path file = directory.resolve("times.parquet");
    try (Connection duckDb = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = duckDb.createStatement()) {
      statement.execute(
          "COPY (SELECT TIMESTAMP_MS '1994-12-31 23:59:59.123' AS t, 7 AS n UNION ALL SELECT NULL,"
              + " -3) TO '"
              + file
              + "' (FORMAT parquet)");
    }
    String ddl = ddl("t TIMESTAMP, n INTEGER", file.toString(), "");
    String query = "SELECT t, n, COUNT(*) AS c FROM t GROUP BY t, n";
    assertThat(new NdpRuns(ddl).run(List.of(query)).get(query))
        .containsExactly("1994-12-31T23:59:59.123Z|7|1", "null|-3|1");
  }

  @Test
  void areRelationalSourcesOfThePlan() {
    String query = "SELECT flag, COUNT(*) AS n FROM t WHERE id < 7 GROUP BY flag";
    String ddl = ddl(COLUMNS, directory.resolve("parquet") + "/", "");

    assertThat(plan(ddl, query)).contains("ColumnarRel").contains("input t (id int64, small");
    assertThat(plan(ddl, query, "--columnar=distributed")).contains("DistributedRel");
    assertThat(plan(ddl, query, "--columnar=off")).contains("IOSource").doesNotContain("Columnar");
    assertThat(plan(ddl, "SELECT id FROM t WHERE small = 3")).contains("NdpRel");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "id BIGINT, tags ARRAY<VARCHAR>; ''",
        "id BIGINT, price DECIMAL; ''",
        "id BIGINT; {\"compression\": \"snappy\"}"
      })
  void areReadByBeamWhereRowsMightDiffer(String columns, String properties) {
    assertThat(
            plan(
                ddl(columns, directory.resolve("parquet") + "/", properties),
                "SELECT COUNT(*) AS n FROM t WHERE id < 7"))
        .contains("IOSource")
        .doesNotContain("Columnar", "Ndp");
  }

  @Test
  void saysWhyTheyAreReadByBeam() {
    Schema columns = Schema.builder().addInt64Field("id").addDecimalField("price").build();
    isOfOtherRows(columns, "column price is DECIMAL, and Beam SQL does not hand on its precision");
    isOfOtherRows(
        Schema.builder().addInt64Field("id").addByteArrayField("raw").build(),
        "column raw is VARBINARY, which tables of this type do not have");
    isOfOtherRows(columns, "[compression] are not known", "compression", "decimals");
  }

  private static void isOfOtherRows(Schema columns, String reason, String... properties) {
    ObjectNode node = new ObjectMapper().createObjectNode();
    for (String property : properties) {
      node.put(property, "15,2");
    }
    Table table =
        Table.builder()
            .type("parquet")
            .name("t")
            .location(directory.resolve("parquet") + "/")
            .schema(columns)
            .properties(node)
            .build();
    assertThatThrownBy(() -> BeamTableType.PARQUET.ofSplits(table))
        .isInstanceOf(OtherRowsException.class)
        .hasMessageContaining(reason);
  }

  @Test
  void withoutFilesAreRefused() {
    assertThatThrownBy(
            () -> plan(ddl(COLUMNS, directory.resolve("none") + "/", ""), "SELECT * FROM t"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("Table t of TYPE parquet: ")
        .hasMessageContaining("there is no file at '" + directory.resolve("none") + "/*'");
    assertThatThrownBy(
            () -> plan("CREATE EXTERNAL TABLE t (" + COLUMNS + ") TYPE parquet", "SELECT * FROM t"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Table t of TYPE parquet: it has no LOCATION");
  }

  @ParameterizedTest
  @CsvSource({"auto", "distributed"})
  void aColumnThatIsNotThereOrAnotherOneIsNamed(String columnar) {
    String file = directory.resolve("parquet/a.parquet").toString();
    String query = "SELECT flag, COUNT(*) AS n FROM t GROUP BY flag";
    assertThatThrownBy(
            () ->
                new NdpRuns(ddl("id BIGINT, flags VARCHAR", file, ""), "--columnar=" + columnar)
                    .run(List.of(query.replace("flag", "flags"))))
        .hasStackTraceContaining(
            file + " has no column flags, which is string in the table; it has [id,");
    assertThatThrownBy(
            () ->
                new NdpRuns(ddl("id BIGINT, flag BIGINT", file, ""), "--columnar=" + columnar)
                    .run(List.of(query)))
        .hasStackTraceContaining("column flag is int64 in the table and VARCHAR in " + file);
  }

  @Test
  void areWrittenByBeam() throws Exception {
    Path written = Files.createDirectory(directory.resolve("written"));
    NdpRuns runs = new NdpRuns(ddl(COLUMNS, written + "/", ""));
    runs.run(List.of("INSERT INTO t VALUES (1, 2, 2.5, 'a', 'b', TRUE)"));
    assertThat(
            new NdpRuns(ddl(COLUMNS, written + "/", ""))
                .run(List.of("SELECT * FROM t"))
                .get("SELECT * FROM t"))
        .containsExactly("1|2|2.500000000e+00|a|b|true");
  }
}
