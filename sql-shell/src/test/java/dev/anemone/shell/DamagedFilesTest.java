// SPDX-License-Identifier: Apache-2.0
package dev.anemone.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What somebody sees who asks a file that is damaged: in a process of its own, as they do. */
@Tag("slow")
class DamagedFilesTest {

  private static final long PATIENCE_SECONDS = 240;

  @TempDir private Path directory;

  @Test
  void aPageOfParquetIsNamedByRowGroupAndColumn() throws Exception {
    Path file = damagedParquet();

    assertFails(
        "SELECT COUNT(DISTINCT name) AS n FROM '" + file + "'",
        "row group 1, column name of " + file);
  }

  @Test
  void aParquetFileThatIsCutOffIsNamed() throws Exception {
    Path file = parquet();
    byte[] bytes = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(bytes, bytes.length / 2));

    assertFails("SELECT COUNT(*) AS n FROM '" + file + "'", file.toString());
  }

  @Test
  void aLineOfCsvIsNamedWithItsColumn() throws Exception {
    Path file = Files.writeString(directory.resolve("people.csv"), "ann,1\nbob,many\ncid,3\n");

    assertFails(
        "CREATE EXTERNAL TABLE people (name VARCHAR, age BIGINT) TYPE text LOCATION '"
            + file
            + "' TBLPROPERTIES '{\"format\": \"csv\"}';"
            + " SELECT SUM(age) AS s FROM people",
        file.toString(),
        "line 2",
        "age",
        "many");
  }

  private void assertFails(String statements, String... says) throws Exception {
    Path output = directory.resolve("output");
    Path errors = directory.resolve("errors");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> argument.startsWith("--add-opens"))
        .forEach(command::add);
    command.addAll(
        List.of(
            "-Djava.io.tmpdir=" + directory,
            "-cp",
            System.getProperty("java.class.path"),
            "dev.anemone.cli.Anemone",
            "sql",
            "--format=csv",
            "-e",
            statements));
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(output.toFile())
            .redirectError(errors.toFile())
            .start();
    try {
      assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).as("it ended").isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(Files.readString(errors)).contains("anemone: ").contains(says);
    assertThat(process.exitValue()).isEqualTo(1);
    assertThat(output).isEmptyFile();
  }

  private Path parquet() throws SQLException {
    Path file = directory.resolve("people.parquet");
    try (Connection database = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = database.createStatement()) {
      statement.execute(
          "COPY (SELECT i AS id, 'name ' || i AS name FROM range(6000) r(i)) TO '"
              + file
              + "' (FORMAT parquet, ROW_GROUP_SIZE 2048)");
    }
    return file;
  }

  /** Three row groups, of which the second has no page of names where the footer says one is. */
  private Path damagedParquet() throws IOException, SQLException {
    Path file = parquet();
    int page;
    try (Connection database = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = database.createStatement();
        ResultSet pages =
            statement.executeQuery(
                "SELECT coalesce(dictionary_page_offset, data_page_offset) FROM parquet_metadata('"
                    + file
                    + "') WHERE row_group_id = 1 AND path_in_schema = 'name'")) {
      pages.next();
      page = pages.getInt(1);
    }
    byte[] bytes = Files.readAllBytes(file);
    for (int i = 0; i < 64; i++) {
      bytes[page + i] = (byte) 0xff;
    }
    return Files.write(file, bytes);
  }
}
