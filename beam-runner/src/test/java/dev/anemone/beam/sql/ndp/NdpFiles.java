// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.ndp;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A table with values of all types, nulls among them, in DuckDB and in files of several formats.
 */
final class NdpFiles implements AutoCloseable {

  static final String COLUMNS =
      "id BIGINT, small INTEGER, price DECIMAL, discount DECIMAL, ratio DOUBLE, flag VARCHAR,"
          + " mode VARCHAR, shipped DATE, good BOOLEAN";

  private static final String ROWS =
      "SELECT i AS id, CASE WHEN i %% 11 = 0 THEN NULL ELSE CAST(i %% 50 AS INTEGER) END AS small,"
          + " CAST((i * 7919 %% 100000) / 100.0 AS DECIMAL(15, 2)) AS price, CAST((i %% 11) / 100.0"
          + " AS DECIMAL(15, 2)) AS discount, CASE WHEN i %% 13 = 0 THEN NULL ELSE (i %% 97) /"
          + " 7.0::DOUBLE END AS ratio, ['A', 'N', 'R'][1 + CAST(i %% 3 AS INTEGER)] AS flag,"
          + " ['AIR', 'AIR REG', 'MAIL', 'SHIP, \"slow\"', NULL][1 + CAST(i %% 5 AS INTEGER)] AS"
          + " mode, DATE '1992-01-01' + CAST(i %% 2500 AS INTEGER) AS shipped, i %% 4 = 1 AS good"
          + " FROM range(%d) AS t(i)";

  private final Connection duckDb;
  private final Path directory;

  NdpFiles(Path directory) throws Exception {
    this(directory, 40_000);
  }

  NdpFiles(Path directory, int rows) throws Exception {
    this.directory = directory;
    this.duckDb = DriverManager.getConnection("jdbc:duckdb:");
    try (Statement statement = duckDb.createStatement()) {
      statement.execute("CREATE TABLE t AS " + ROWS.formatted(rows));
      for (String kind : List.of("csv", "gzip", "parquet")) {
        Files.createDirectories(directory.resolve(kind));
      }
      copy(statement, "csv/part-0.csv", "id < 30000", "FORMAT csv, DELIMITER '|', HEADER false");
      copy(statement, "csv/part-1.csv", "id >= 30000", "FORMAT csv, DELIMITER '|', HEADER false");
      copy(statement, "gzip/all.csv.gz", "true", "FORMAT csv, HEADER true, COMPRESSION gzip");
      copy(statement, "parquet/a.parquet", "true", "FORMAT parquet, ROW_GROUP_SIZE 8192");
    }
  }

  private void copy(Statement statement, String file, String rows, String format)
      throws SQLException {
    statement.execute(
        "COPY (SELECT * FROM t WHERE "
            + rows
            + ") TO '"
            + directory.resolve(file)
            + "' ("
            + format
            + ")");
  }

  /** The statement that declares the table in a format. */
  String ddl(String kind) {
    return ddl(kind, directory.resolve(kind).toString());
  }

  /** The same for files that were put elsewhere. */
  String ddl(String kind, String location) {
    String properties =
        switch (kind) {
          case "csv" -> "{\"format\": \"csv\", \"delimiter\": \"|\", \"decimals\": \"15,2\"}";
          case "gzip" ->
              "{\"format\": \"csv\", \"header\": true, \"compression\": \"gzip\","
                  + " \"decimals\": \"15,2\"}";
          default ->
              "{\"format\": \"parquet\", \"decimals\": {\"price\": \"15,2\","
                  + " \"discount\": \"15,2\"}}";
        };
    return "CREATE EXTERNAL TABLE t ("
        + COLUMNS
        + ") TYPE ndp LOCATION '"
        + location
        + "' TBLPROPERTIES '"
        + properties
        + "'";
  }

  /** What DuckDB says, comparable and sorted. */
  List<String> answer(String query) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Statement statement = duckDb.createStatement();
        ResultSet result = statement.executeQuery(query)) {
      while (result.next()) {
        List<Object> row = new ArrayList<>();
        for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
          row.add(result.getObject(i));
        }
        rows.add(NdpRuns.comparable(row));
      }
    }
    rows.sort(null);
    return rows;
  }

  /** Asserts that each query gives what DuckDB gives, and not nothing. */
  void assertAnswers(NdpRuns runs, List<String> queries) throws SQLException {
    Map<String, List<String>> results = runs.run(queries);
    for (String query : queries) {
      assertThat(results.get(query)).as(query).isEqualTo(answer(query)).isNotEmpty();
    }
  }

  @Override
  public void close() throws SQLException {
    duckDb.close();
  }
}
