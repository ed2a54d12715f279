// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.cli;

import dev.anemone.examples.tpch.TpchTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.stream.Collectors;
import org.apache.beam.sdk.schemas.Schema.Field;

/** Tables of TPC-H as Parquet files with a few rows that mean nothing. */
final class TrainingTables {

  private TrainingTables() {}

  /**
   * Writes a file of each table.
   *
   * @param directory is made
   */
  static void write(Path directory) throws IOException {
    Files.createDirectories(directory);
    try (Connection database = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = database.createStatement()) {
      for (TpchTable table : TpchTable.values()) {
        String columns =
            table.schema().getFields().stream()
                .map(field -> "CAST(" + value(field) + ") AS " + field.getName())
                .collect(Collectors.joining(", "));
        Path file = directory.resolve(table.tableName() + ".parquet");
        statement.execute(
            "COPY (SELECT "
                + columns
                + " FROM range(10) AS t(i)) TO '"
                + file.toString().replace("'", "''")
                + "' (FORMAT parquet)");
      }
    } catch (SQLException e) {
      throw new IOException("The tables for the training cannot be written to " + directory, e);
    }
  }

  private static String value(Field field) {
    return switch (field.getType().getTypeName()) {
      case INT32 -> "i AS INTEGER";
      case INT64 -> "i AS BIGINT";
      case DECIMAL -> "i AS DECIMAL(15,2)";
      case LOGICAL_TYPE -> "DATE '1994-01-01' + CAST(i AS INTEGER) AS DATE";
      default -> "i AS VARCHAR";
    };
  }
}
