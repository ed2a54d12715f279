// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.ndp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.beam.sql.AnemoneQueryPlanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.extensions.sql.SqlTransform;
import org.apache.beam.sdk.extensions.sql.meta.provider.parquet.ParquetTableProvider;
import org.apache.beam.sdk.extensions.sql.meta.provider.text.TextTableProvider;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What an INSERT writes in columns is what it writes in rows, as far as rows can write it. */
@Tag("slow")
class InsertedFilesTest {

  /** Of the types that Beam writes so that they can be read; without NULL, of which it has none. */
  private static final String COMMON =
      "id BIGINT, small INTEGER, ratio DOUBLE, name VARCHAR, good BOOLEAN, seen TIMESTAMP";

  private static final String ALL =
      "id BIGINT, small INTEGER, price DECIMAL, ratio DOUBLE, name VARCHAR, born DATE, good BOOLEAN";

  private static final String FULL = ALL + ", seen TIMESTAMP";

  private static final String DECIMALS = "\"decimals\": \"15,2\"";

  @TempDir private static Path directory;
  private static Connection duckDb;

  @BeforeAll
  static void write() throws Exception {
    duckDb = DriverManager.getConnection("jdbc:duckdb:");
    Files.createDirectory(directory.resolve("in"));
    sql(
        "COPY (SELECT i AS id, CAST(i % 50 - 25 AS INTEGER) AS small, CAST(i * 7919 % 100000 / 100.0"
            + " AS DECIMAL(15, 2)) AS price, i / 7.0::DOUBLE AS ratio, ['a', 'b \"c\"', 'd,e',"
            + " 'f' || chr(10) || 'g', '', ' h ', 'größer'][1 + CAST(i % 7 AS INTEGER)] AS name,"
            + " DATE '1960-02-29' + CAST(i * 13 AS INTEGER) AS born, i % 4 = 1 AS good, TIMESTAMP"
            + " '1969-12-31 23:59:59.123' + i * INTERVAL 7 SECOND AS seen FROM range(5000) AS"
            + " r(i)) TO '"
            + directory.resolve("in/full.parquet")
            + "' (FORMAT parquet, ROW_GROUP_SIZE 2048)");
    sql(
        "COPY (SELECT CASE WHEN id % 3 = 0 THEN NULL ELSE id END AS id, CASE WHEN id % 5 = 0 THEN"
            + " NULL ELSE small END AS small, CASE WHEN id % 7 = 0 THEN NULL ELSE price END AS"
            + " price, CASE WHEN id % 11 = 0 THEN NULL ELSE ratio END AS ratio, CASE WHEN id % 2 ="
            + " 0 THEN NULL ELSE name END AS name, CASE WHEN id % 13 = 0 THEN NULL ELSE born END"
            + " AS born, CASE WHEN id % 17 = 0 THEN NULL ELSE good END AS good FROM '"
            + directory.resolve("in/full.parquet")
            + "') TO '"
            + directory.resolve("in/nulls.parquet")
            + "' (FORMAT parquet)");
  }

  @AfterAll
  static void close() throws Exception {
    duckDb.close();
  }

  private static void sql(String statement) throws SQLException {
    try (Statement execution = duckDb.createStatement()) {
      execution.execute(statement);
    }
  }

  private static List<String> rows(String query) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Statement statement = duckDb.createStatement();
        ResultSet result = statement.executeQuery(query)) {
      while (result.next()) {
        List<String> row = new ArrayList<>();
        for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
          row.add(result.getString(i));
        }
        rows.add(row.toString());
      }
    }
    rows.sort(null);
    return rows;
  }

  private static String table(
      String name, String type, String columns, String location, String properties) {
    return "CREATE EXTERNAL TABLE "
        + name
        + " ("
        + columns
        + ") TYPE "
        + type
        + " LOCATION '"
        + location
        + "' TBLPROPERTIES '{"
        + properties
        + "}'";
  }

  private static String in(String columns, String file) {
    // Of a table of this type rows are read as batches are, also of columns that Beam reads
    // otherwise.
    return table(
        "t",
        "ndp",
        columns,
        directory.resolve(file).toString(),
        "\"format\": \"parquet\", " + DECIMALS);
  }

  /** Runs a statement that writes into {@code o}, and says where it is. */
  private static Path insert(
      String into, String type, String columns, String properties, String query, String... options)
      throws IOException {
    return insertOf(into, type, columns, properties, in(FULL, "in/full.parquet"), query, options);
  }

  private static Path insertOf(
      String into,
      String type,
      String columns,
      String properties,
      String in,
      String query,
      String... options)
      throws IOException {
    Path target = Files.createDirectories(directory.resolve(into));
    Pipeline pipeline = pipeline(target, type, columns, properties, in, query, options);
    pipeline.run().waitUntilFinish();
    return target;
  }

  private static Pipeline pipeline(
      Path target,
      String type,
      String columns,
      String properties,
      String in,
      String query,
      String... options) {
    List<String> arguments = new ArrayList<>(List.of(options));
    arguments.addAll(List.of("--runner=NemoRunner", "--slots=2"));
    Pipeline pipeline =
        Pipeline.create(PipelineOptionsFactory.fromArgs(arguments.toArray(new String[0])).create());
    pipeline.apply(
        "Insert",
        SqlTransform.query("INSERT INTO o " + query)
            .withDdlString(in)
            .withDdlString(table("o", type, columns, target + "/", properties))
            .withQueryPlannerClass(AnemoneQueryPlanner.class));
    return pipeline;
  }

  private static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(file -> !file.equals(directory)).sorted().toList();
    }
  }

  private static String plan(String columns, String properties, String type, String query) {
    return new DeclaredPlans(
            List.of(new NdpTableProvider(), new ParquetTableProvider(), new TextTableProvider()))
        .of(
            List.of(
                in(FULL, "in/full.parquet"),
                table("o", type, columns, directory.resolve("planned") + "/", properties)),
            "INSERT INTO o " + query);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Default", "Excel", "TDF", "MySQL", "PostgreSQLCsv"})
  void linesAreThoseOfRows(String format) throws Exception {
    String csv = "\"csvformat\": \"" + format + "\"";
    String query = "SELECT id, small, ratio, name, good, seen FROM t WHERE id < 500";
    Path rows = insert("rows" + format, "text", COMMON, csv, query, "--columnar=off");
    Path columns = insert("columns" + format, "text", COMMON, csv, query);

    assertThat(files(columns)).containsExactly(columns.resolve("-00000-of-00001"));
    assertThat(sortedText(files(columns))).isEqualTo(sortedText(files(rows))).isNotEmpty();
  }

  /** A text may have line ends, so characters are what can be compared whatever the order is. */
  private static String sortedText(List<Path> files) throws IOException {
    StringBuilder text = new StringBuilder();
    for (Path file : files) {
      text.append(Files.readString(file));
    }
    List<String> records =
        new ArrayList<>(List.of(text.toString().split("(?m)(?=^[0-9]+[,\t\"])")));
    records.sort(null);
    return String.join("", records);
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "distributed"})
  void parquetIsThatOfRows(String columnar) throws Exception {
    String query = "SELECT id, small, ratio, name, good, seen FROM t WHERE id < 4000";
    Path rows = insert("rowsParquet", "parquet", COMMON, "", query, "--columnar=off");
    Path columns =
        insert("columns" + columnar, "parquet", COMMON, "", query, "--columnar=" + columnar);

    assertThat(files(columns))
        .isNotEmpty()
        .allMatch(file -> file.getFileName().toString().matches("output-0000.-of-0000."));
    String all = "SELECT id, small, ratio, name, good, epoch_ms(seen) FROM read_parquet('%s/*')";
    assertThat(rows(all.formatted(columns))).isEqualTo(rows(all.formatted(rows))).hasSize(4000);
    // Whole numbers may say that they are some.
    String schema =
        "SELECT DISTINCT name, type, CASE WHEN converted_type LIKE 'INT_%%' THEN NULL ELSE"
            + " converted_type END FROM parquet_schema('%s/*') WHERE type IS NOT NULL";
    assertThat(rows(schema.formatted(columns))).isEqualTo(rows(schema.formatted(rows)));
    String codecs = "SELECT DISTINCT compression FROM parquet_metadata('%s/*')";
    assertThat(rows(codecs.formatted(columns))).isEqualTo(rows(codecs.formatted(rows)));
    String read = "SELECT COUNT(*) AS n, SUM(id) AS s, MAX(name) AS m FROM t";
    String readable =
        table("t", "parquet", COMMON.replace(", seen TIMESTAMP", ""), columns + "/", "");
    assertThat(new NdpRuns(readable, "--columnar=off").run(List.of(read)))
        .isEqualTo(new NdpRuns(readable).run(List.of(read)));
  }

  @ParameterizedTest
  @CsvSource({
    "parquet, auto, SELECT * FROM t",
    "parquet, distributed, SELECT * FROM t",
    "parquet, auto, SELECT * FROM t WHERE id > 7 OR id IS NULL",
    "parquet, auto, SELECT * FROM t ORDER BY id LIMIT 5000",
    "text, auto, SELECT * FROM t",
    "text, distributed, SELECT * FROM t"
  })
  void allTypesAndNullsAreReadAgain(String type, String columnar, String query) throws Exception {
    // In this format a text has no line ends, at which readers cut, and NULL is none.
    String properties = type.equals("text") ? DECIMALS + ", \"csvformat\": \"MySQL\"" : DECIMALS;
    String in = in(ALL, "in/nulls.parquet");
    Path written =
        insertOf(
            "all" + type + columnar + query.length(),
            type,
            ALL,
            properties,
            in,
            query,
            "--columnar=" + columnar);

    String read = "SELECT * FROM t";
    String location = written + (type.equals("text") ? "/*" : "/");
    assertThat(
            new NdpRuns(table("t", type, ALL, location, properties)).run(List.of(read)).get(read))
        .isEqualTo(new NdpRuns(in).run(List.of(query)).get(query))
        .isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"parquet", "text"})
  void ofNoRowsThereIsWhatBeamWrites(String type) throws Exception {
    String query = "SELECT id, small, ratio, name, good, seen FROM t WHERE id < 0";
    Path rows = insert("noRows" + type, type, COMMON, "", query, "--columnar=off");
    Path columns = insert("noColumns" + type, type, COMMON, "", query);

    assertThat(files(columns).stream().map(columns::relativize))
        .isEqualTo(files(rows).stream().map(rows::relativize).toList())
        .hasSize(type.equals("text") ? 1 : 0);
  }

  @Test
  void rowsOfAQueryInRowsBecomeBatches() throws Exception {
    String query = "SELECT id, small, SQRT(ratio), UPPER(name), good, seen FROM t WHERE id < 100";
    assertThat(plan(COMMON, "", "parquet", query)).contains("InsertRel(table=[o], of=[rows])");
    Path rows = insert("upperRows", "parquet", COMMON, "", query, "--columnar=off");
    Path columns = insert("upperColumns", "parquet", COMMON, "", query);

    String all = "SELECT * EXCLUDE (seen), epoch_ms(seen) FROM read_parquet('%s/*')";
    assertThat(rows(all.formatted(columns))).isEqualTo(rows(all.formatted(rows))).hasSize(100);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT name, SUM(price) FROM t GROUP BY name",
        "SELECT name, price FROM t WHERE id < 7",
        "SELECT name, price * 2 FROM t ORDER BY id LIMIT 3"
      })
  void ofAQueryInColumnsBatchesAreWritten(String query) {
    assertThat(plan("name VARCHAR, price DECIMAL", DECIMALS, "parquet", query))
        .contains("InsertRel(table=[o], of=[batches])");
  }

  @Test
  void decimalsAreRoundedToTheirColumn() throws Exception {
    String query = "SELECT AVG(price) FROM t WHERE id < 3";
    Path written = insert("rounded", "parquet", "price DECIMAL", DECIMALS, query);
    assertThat(rows("SELECT * FROM read_parquet('" + written + "/*')")).containsExactly("[79.19]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"parquet", "text"})
  void aDecimalThatDoesNotFitIsNamedAndNothingIsWritten(String type) throws Exception {
    for (String query : List.of("SELECT MAX(price) FROM t", "SELECT price FROM t")) {
      assertThatThrownBy(
              () -> insert("narrow" + type, type, "price DECIMAL", "\"decimals\": \"4,2\"", query))
          .hasStackTraceContaining("column price of table o is decimal(4,2), which ")
          .hasStackTraceContaining(" does not fit");
      assertThat(files(directory.resolve("narrow" + type)))
          .noneMatch(file -> file.getFileName().toString().contains("-of-"));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "price DECIMAL; ''; column price is DECIMAL, and Beam SQL does not hand on its precision",
        "price DECIMAL; \"skip\": \"1\", \"decimals\": \"15,2\"; [skip] are not known"
      })
  void whatIsWrittenInRowsIsNamed(String columns, String properties, String reason)
      throws Exception {
    String query = "SELECT MAX(price) FROM t";
    assertThat(plan(columns, properties, "text", query)).contains("BeamIOSinkRel");
    assertThat(
            PartsInRowsTest.explanation(
                pipeline(
                    directory.resolve("explained"),
                    "text",
                    columns,
                    properties,
                    in(ALL, "in/full.parquet"),
                    query,
                    "--explainOnly=true",
                    "--explain=text")))
        .contains(
            "note: a part of 'Insert' runs in rows, because of the table beam.o, which is written"
                + " row by row: ")
        .contains(reason);
  }
}
