// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql;

import dev.anemone.beam.sql.ndp.NdpTableProvider;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.beam.sdk.extensions.sql.TableUtils;
import org.apache.beam.sdk.extensions.sql.meta.BeamSqlTable;
import org.apache.beam.sdk.extensions.sql.meta.Table;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.Field;
import org.apache.beam.sdk.schemas.Schema.TypeName;
import org.apache.beam.sdk.values.Row;
import org.joda.time.ReadableInstant;

/** The same tables in DuckDB. */
final class DuckDb implements AutoCloseable {

  /** Digits in which numbers are compared: DuckDB divides decimals as doubles. */
  private static final MathContext DIGITS = new MathContext(12, RoundingMode.HALF_UP);

  private final Connection connection;

  DuckDb(Map<String, MemoryTable> tables) throws SQLException {
    connection = DriverManager.getConnection("jdbc:duckdb:");
    for (Map.Entry<String, MemoryTable> table : tables.entrySet()) {
      create(table.getKey(), table.getValue());
    }
  }

  private void create(String name, MemoryTable table) throws SQLException {
    String columns =
        table.getSchema().getFields().stream()
            .map(field -> field.getName() + " " + type(field))
            .collect(Collectors.joining(", "));
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE " + name + " (" + columns + ")");
    }
    String places = String.join(", ", Collections.nCopies(table.getSchema().getFieldCount(), "?"));
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO " + name + " VALUES (" + places + ")")) {
      for (Row row : table.rows()) {
        for (int i = 0; i < row.getFieldCount(); i++) {
          insert.setObject(i + 1, sql(row.getValue(i)));
        }
        insert.execute();
      }
    }
  }

  /** Days and times as texts: the driver takes those before 1582 for days of another calendar. */
  private static Object sql(Object value) {
    if (value instanceof ReadableInstant instant) {
      return LocalDateTime.ofInstant(Instant.ofEpochMilli(instant.getMillis()), ZoneOffset.UTC)
          .toString();
    }
    return value instanceof LocalDate date ? date.toString() : value;
  }

  private static String type(Field field) {
    return switch (field.getType().getTypeName()) {
      case INT32 -> "INTEGER";
      case INT64 -> "BIGINT";
      case DECIMAL -> "DECIMAL(" + digits(field) + ")";
      case DOUBLE -> "DOUBLE";
      case BOOLEAN -> "BOOLEAN";
      case DATETIME -> "TIMESTAMP";
      case STRING -> "VARCHAR";
      case LOGICAL_TYPE -> "DATE";
      default -> throw new IllegalArgumentException(field.toString());
    };
  }

  /** The digits of a decimal, which its description may say. */
  private static String digits(Field field) {
    return field.getDescription().isEmpty() ? "18,4" : field.getDescription();
  }

  private static String properties(Schema schema) {
    String decimals =
        schema.getFields().stream()
            .filter(field -> field.getType().getTypeName() == TypeName.DECIMAL)
            .map(field -> '"' + field.getName() + "\": \"" + digits(field) + '"')
            .collect(Collectors.joining(", ", "{", "}"));
    return "{\"format\": \"parquet\", \"decimals\": " + decimals + "}";
  }

  /**
   * The tables as files of Parquet.
   *
   * @param directory where they are written
   */
  Map<String, BeamSqlTable> parquetTables(Map<String, MemoryTable> tables, Path directory)
      throws SQLException {
    Map<String, BeamSqlTable> files = new LinkedHashMap<>();
    for (Map.Entry<String, MemoryTable> table : tables.entrySet()) {
      Path file = directory.resolve(table.getKey() + ".parquet");
      try (Statement statement = connection.createStatement()) {
        statement.execute("COPY " + table.getKey() + " TO '" + file + "' (FORMAT parquet)");
      }
      files.put(
          table.getKey(),
          new NdpTableProvider()
              .buildBeamSqlTable(
                  Table.builder()
                      .name(table.getKey())
                      .type("ndp")
                      .schema(table.getValue().getSchema())
                      .location(file.toString())
                      .properties(
                          TableUtils.parseProperties(properties(table.getValue().getSchema())))
                      .build()));
    }
    return files;
  }

  /** The rows of a query, comparable by {@link #comparable}. */
  List<List<Object>> run(String query) throws SQLException {
    List<List<Object>> rows = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(query)) {
      int columns = result.getMetaData().getColumnCount();
      while (result.next()) {
        List<Object> row = new ArrayList<>();
        for (int i = 1; i <= columns; i++) {
          row.add(result.getObject(i));
        }
        rows.add(comparable(row));
      }
    }
    return rows;
  }

  /** A row whose numbers and dates are of one class each, and rounded. */
  static List<Object> comparable(List<Object> row) {
    List<Object> values = new ArrayList<>();
    for (Object value : row) {
      if (value instanceof Number number) {
        values.add(
            new BigDecimal(number.toString()).round(DIGITS).stripTrailingZeros().toPlainString());
      } else {
        values.add(value instanceof LocalDate date ? date.toString() : String.valueOf(value));
      }
    }
    return values;
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
