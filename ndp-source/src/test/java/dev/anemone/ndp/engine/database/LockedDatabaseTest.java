// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ndp.engine.TestLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Even a query that no plan could become reaches nothing but the one file. */
class LockedDatabaseTest {

  @TempDir Path directory;
  private Connection database;

  @BeforeEach
  void open() throws IOException, SQLException {
    Files.writeString(directory.resolve("input"), "given\n");
    Files.writeString(directory.resolve("input2"), "secret\n");
    database =
        LockedDatabase.open(
            TestLimits.in(directory),
            List.of(directory.resolve("input")),
            directory.resolve("spill"),
            JoinOrder.OF_THE_ENGINE);
  }

  @AfterEach
  void close() throws SQLException {
    database.close();
  }

  @Test
  void theFileCanBeRead() throws SQLException {
    assertThat(first("SELECT * FROM read_csv('%s/input', header = false)")).isEqualTo("given");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT * FROM read_csv('%s/input2', header = false)",
        "SELECT * FROM read_csv('%s/input*', header = false)",
        "SELECT * FROM read_csv('%s/./input2', header = false)",
        "SELECT * FROM read_csv('%s/input/../input2', header = false)",
        "SELECT * FROM read_text('/etc/hostname')",
        "SELECT * FROM read_blob('%s/input2')",
        "SELECT * FROM glob('%s/*')",
        "SELECT * FROM '%s/input2'",
        "SELECT * FROM read_parquet('http://127.0.0.1:9/x')",
        "COPY (SELECT 1) TO '%s/output'",
        "EXPORT DATABASE '%s/export'",
        "ATTACH '%s/other.db'",
        "INSTALL httpfs",
        "LOAD '%s/input2'",
        "SET enable_external_access = true",
        "SET allowed_paths = ['/etc/hostname']",
        "SET allowed_directories = ['/']",
        "SET lock_configuration = false",
        "SET threads = 64",
        "SET memory_limit = '100GB'",
        "PRAGMA disable_profiling",
        "SET log_query_path = '%s/log'"
      })
  void nothingElseCan(String sql) throws IOException {
    assertThatThrownBy(() -> first(sql)).isInstanceOf(SQLException.class);
    assertThat(directory.resolve("output")).doesNotExist();
    assertThat(directory.resolve("log")).doesNotExist();
    assertThat(directory.resolve("export")).doesNotExist();
  }

  private String first(String sql) throws SQLException {
    try (Statement statement = database.createStatement();
        ResultSet rows = statement.executeQuery(sql.replace("%s", directory.toString()))) {
      rows.next();
      return rows.getString(1);
    }
  }
}
