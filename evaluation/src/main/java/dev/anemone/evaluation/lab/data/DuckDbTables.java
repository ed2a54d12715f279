// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.data;

import dev.anemone.examples.tpch.TpchTable;
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
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.beam.sdk.schemas.Schema.Field;

/** TPC-H's tables in DuckDB. */
public final class DuckDbTables {
  private DuckDbTables() {}

  /** Makes a view of the files of each table: Parquet, or text as {@code dbgen} writes it. */
  public static void create(Statement statement, Path directory) throws SQLException {
    for (TpchTable table : TpchTable.values()) {
      Path parquet = parquet(directory, table);
      String files =
          Files.exists(parquet)
              ? "SELECT * FROM '" + quoted(parquet) + "'"
              : ofText(table, directory);
      statement.execute("CREATE VIEW " + table.tableName() + " AS " + files);
    }
  }

  /** Writes all tables as Parquet, a file each, as DuckDB does it without options. */
  public static void writeParquet(Path from, Path to) throws SQLException, IOException {
    Files.createDirectories(to);
    try (Connection database = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = database.createStatement()) {
      create(statement, from);
      for (TpchTable table : TpchTable.values()) {
        String file = quoted(parquet(to, table));
        statement.execute("COPY " + table.tableName() + " TO '" + file + "' (FORMAT parquet)");
      }
    }
  }

  private static Path parquet(Path directory, TpchTable table) {
    return directory.resolve(table.tableName() + ".parquet");
  }

  private static String ofText(TpchTable table, Path directory) {
    // After the last column there is a separator, too.
    String columns =
        Stream.concat(
                table.schema().getFields().stream()
                    .map(field -> "'" + field.getName() + "': '" + type(field) + "'"),
                Stream.of("'line_end': 'VARCHAR'"))
            .collect(Collectors.joining(", "));
    return """
        SELECT * EXCLUDE (line_end) FROM read_csv('%s',
        delim = '|', header = false, quote = '', escape = '', columns = {%s})"""
        .formatted(quoted(directory.resolve(table.tableName() + ".tbl*")), columns);
  }

  /** The type of a column in SQL, as DuckDB and Spark take it. */
  public static String type(Field field) {
    return switch (field.getType().getTypeName()) {
      case INT32 -> "INTEGER";
      case INT64 -> "BIGINT";
      case DECIMAL -> "DECIMAL(15,2)";
      case LOGICAL_TYPE -> "DATE";
      default -> "STRING";
    };
  }

  private static String quoted(Path path) {
    return path.toString().replace("'", "''");
  }

  /** All rows of a result, value by value. */
  public static List<List<Object>> rows(ResultSet result) throws SQLException {
    List<List<Object>> rows = new ArrayList<>();
    while (result.next()) {
      List<Object> values = new ArrayList<>();
      for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
        values.add(result.getObject(i));
      }
      rows.add(values);
    }
    return rows;
  }
}
