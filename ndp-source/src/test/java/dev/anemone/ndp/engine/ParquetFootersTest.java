// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ndp.engine.split.SplitBytes;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ParquetFootersTest {

  private static final int GROUP = 2_048;
  private static final int GROUPS = 40;

  @TempDir Path directory;
  private Connection database;

  @BeforeEach
  void open() throws SQLException {
    database = DriverManager.getConnection("jdbc:duckdb:");
  }

  @AfterEach
  void close() throws SQLException {
    database.close();
  }

  @Test
  void aFooterIsUnderstoodOnce() throws Exception {
    Path one = write("one", 0);
    byte[] end = endOf(one);
    byte[] other = endOf(write("other", 7));
    ParquetFooters footers = new ParquetFooters(end.length + other.length - 1);
    List<Path> read = new ArrayList<>();

    ParquetFooter first = footers.of(end, () -> read(one, read));

    assertThat(footers.of(end.clone(), () -> read(one, read))).isSameAs(first);
    assertThat(read).containsExactly(one);
    assertThat(first.file().groups()).hasSize(GROUPS);

    // There is no room for both.
    footers.of(other, () -> read(directory.resolve("other"), read));
    assertThat(footers.of(end, () -> read(one, read))).isNotSameAs(first);
    assertThat(read).containsExactly(one, directory.resolve("other"), one);
  }

  @Test
  void aFooterThatIsLargerThanAllMayBeIsNotKept() throws Exception {
    Path one = write("one", 0);
    ParquetFooters footers = new ParquetFooters(10);
    List<Path> read = new ArrayList<>();
    footers.of(endOf(one), () -> read(one, read));
    footers.of(endOf(one), () -> read(one, read));
    assertThat(read).hasSize(2);
  }

  @Test
  void aFileWithSomeOfItsGroupsIsAFile() throws Exception {
    Path file = write("file", 0);
    byte[] end = endOf(file);
    ParquetFooter footer = ParquetFooter.of(ParquetFile.read(database, file), end);
    List<ParquetFile.RowGroup> some =
        List.of(footer.file().groups().get(3), footer.file().groups().get(38));

    byte[] ofSome = footer.endWith(some);
    long start = Files.size(file) - end.length;
    try (SplitBytes bytes = SplitBytes.of(file)) {
      ParquetCopy.finish(start, ofSome, file, bytes, copied -> {});
    }

    assertThat(ofSome.length).isLessThan(end.length / 5);
    assertThat(Files.size(file)).isEqualTo(start + ofSome.length);
    assertThat(numbers("SELECT count(*), min(i), max(i) FROM read_parquet('" + file + "')"))
        .containsExactly(2L * GROUP, 3L * GROUP, 39L * GROUP - 1);
    assertThat(
            numbers("SELECT num_rows, num_row_groups FROM parquet_file_metadata('" + file + "')"))
        .containsExactly(2L * GROUP, 2L);
    assertThat(ParquetFile.read(database, file)).isEqualTo(footer.file().only(some));
  }

  @Test
  void theEngineHasToSeeTheSameGroups() throws Exception {
    Path file = write("file", 0);
    ParquetFile parquet = ParquetFile.read(database, file);
    ParquetFile less = new ParquetFile(parquet.columns(), parquet.groups().subList(1, GROUPS));
    assertThatThrownBy(() -> ParquetFooter.of(less, endOf(file)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("40 row groups, of which the engine knows 39");
  }

  private Path write(String name, int first) throws SQLException {
    Path file = directory.resolve(name);
    try (Statement statement = database.createStatement()) {
      statement.execute("SET threads = 1");
      statement.execute(
          "COPY (SELECT i + %d AS i, 'text ' || i AS text FROM range(%d) AS r(i)) TO '%s' (FORMAT parquet, ROW_GROUP_SIZE %d)"
              .formatted(first, GROUP * GROUPS, file, GROUP));
    }
    return file;
  }

  private static byte[] endOf(Path file) throws IOException {
    try (SplitBytes bytes = SplitBytes.of(file)) {
      return ParquetCopy.endOf(bytes);
    }
  }

  private ParquetFile read(Path file, List<Path> read) throws SQLException {
    read.add(file);
    return ParquetFile.read(database, file);
  }

  private List<Long> numbers(String query) throws SQLException {
    List<Long> numbers = new ArrayList<>();
    try (Statement statement = database.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      rows.next();
      for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
        numbers.add(rows.getLong(i));
      }
    }
    return numbers;
  }
}
