// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.RelationalPlan;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.SimpleType;
import dev.anemone.ir.relational.query.Relation;
import dev.anemone.ir.relational.query.RelationalQuery;
import dev.anemone.ndp.engine.split.Split;
import dev.anemone.ndp.engine.split.SplitBytes;
import dev.anemone.ndp.format.CsvFormat;
import dev.anemone.ndp.format.ParquetFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said of files whose values cannot be read. */
class DamagedFilesTest {

  private static final RowType ROW =
      RowType.of(Field.nullable("id", SimpleType.INT64), Field.nullable("name", SimpleType.STRING));

  private static final int ROWS = 6_000;

  @TempDir private Path directory;
  private NdpEngine engine;

  @BeforeEach
  void open() throws IOException {
    engine = new NdpEngine(TestLimits.in(Files.createDirectory(directory.resolve("work"))));
  }

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void aPageOfParquetIsNamedByRowGroupAndColumn() throws Exception {
    Path file = damagedParquet();
    Table table = new Table(file, new ParquetFormat(), ROW);
    String expected = "cannot be read: row group 1, column name of " + file;
    fails(() -> query(table), expected);
    fails(() -> drain(engine.run(plan(), table, Split.WHOLE)), expected);
    try (SplitBytes bytes = SplitBytes.of(file)) {
      fails(
          () -> drain(engine.run(plan(), new ParquetFormat(), ROW, bytes, Split.WHOLE)),
          "cannot be read: row group 1, column name of " + bytes.name());
    }
  }

  @Test
  void otherColumnsAreRead() throws Exception {
    Table table = new Table(damagedParquet(), new ParquetFormat(), ROW);
    RowType ids = RowType.of(Field.nullable("id", SimpleType.INT64));
    assertThat(drain(engine.run(new RelationalPlan(ids, List.of()), table, Split.WHOLE)))
        .isEqualTo(ROWS);
  }

  @Test
  void aLineOfCsvThatIsNotUtf8IsNamed() throws Exception {
    Path file = directory.resolve("people.csv");
    Files.write(file, "1,ann\n2,bj\u00f6rn\n3,cid\n".getBytes(ISO_8859_1));
    Table table = new Table(file, CsvFormat.of(','), ROW);
    fails(() -> query(table), file.toString(), "line 2", "UTF-8");
    fails(
        () -> drain(engine.run(plan(), table, new Split(5, 100))),
        file.toString(),
        "line 2",
        "UTF-8");
  }

  private static void fails(ThrowingCallable run, String... says) {
    var failure = assertThatThrownBy(run).isInstanceOf(NdpEngineException.class);
    for (String each : says) {
      failure.hasMessageContaining(each);
    }
  }

  private static RelationalPlan plan() {
    return new RelationalPlan(ROW, List.of());
  }

  private void query(Table table) throws IOException {
    Relation all = new Relation.Input("t", ROW);
    drain(engine.run(new RelationalQuery(all), Map.of("t", List.of(table)), Map.of(), () -> false));
  }

  private static long drain(PlanAnswer answer) throws IOException {
    long rows = 0;
    try (answer) {
      while (answer.loadNextBatch()) {
        rows += answer.root().getRowCount();
      }
    }
    return rows;
  }

  /** Three row groups, of which the second has no page of names where the footer says one is. */
  private Path damagedParquet() throws Exception {
    Path file = directory.resolve("people.parquet");
    long page;
    try (Connection database = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = database.createStatement()) {
      statement.execute(
          "COPY (SELECT i AS id, 'name ' || i AS name FROM range("
              + ROWS
              + ") r(i)) TO '"
              + file
              + "' (FORMAT parquet, ROW_GROUP_SIZE 2048)");
      page = pageOfNames(statement, file);
    }
    byte[] bytes = Files.readAllBytes(file);
    for (int i = 0; i < 64; i++) {
      bytes[(int) page + i] = (byte) 0xff;
    }
    return Files.write(file, bytes);
  }

  private static long pageOfNames(Statement statement, Path file) throws SQLException {
    try (ResultSet page =
        statement.executeQuery(
            "SELECT coalesce(dictionary_page_offset, data_page_offset) FROM parquet_metadata('"
                + file
                + "') WHERE row_group_id = 1 AND path_in_schema = 'name'")) {
      page.next();
      return page.getLong(1);
    }
  }
}
