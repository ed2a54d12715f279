// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.tables;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.beam.sdk.schemas.Schema.Field;
import org.apache.beam.sdk.schemas.Schema.TypeName;

/** Another SQL engine, on the same data files, with the standard text of the queries. */
public final class DuckDb implements AutoCloseable {
  private static final Map<TypeName, String> TYPES =
      Map.of(
          TypeName.INT32, "INTEGER",
          TypeName.INT64, "BIGINT",
          TypeName.DECIMAL, "DECIMAL(15,2)",
          TypeName.STRING, "VARCHAR",
          TypeName.LOGICAL_TYPE, "DATE");

  private final Connection connection;

  /** Reads the files of a data set again for each query. */
  public DuckDb(DataSet dataSet) throws SQLException {
    this(dataSet, "VIEW");
  }

  private DuckDb(DataSet dataSet, String kind) throws SQLException {
    connection = DriverManager.getConnection("jdbc:duckdb:");
    try (Statement statement = connection.createStatement()) {
      for (TableFiles files : dataSet.tables()) {
        DataTable table = files.table();
        // After the last column there is a separator, too.
        String columns =
            Stream.concat(
                    table.schema().getFields().stream().map(DuckDb::column),
                    Stream.of("'line_end': 'VARCHAR'"))
                .collect(Collectors.joining(", "));
        statement.execute(
            "CREATE "
                + kind
                + " "
                + table.tableName()
                + " AS SELECT * EXCLUDE (line_end) FROM read_csv('"
                + files.pattern()
                + "', delim = '|', header = false, quote = '', escape = '', columns = {"
                + columns
                + "})");
      }
    }
  }

  /** Reads the files once, and sorts NULLs and divides whole numbers as Calcite does. */
  public static DuckDb withCopies(DataSet dataSet) throws SQLException {
    DuckDb duckDb = new DuckDb(dataSet, "TABLE");
    try (Statement statement = duckDb.connection.createStatement()) {
      statement.execute("SET default_null_order = 'NULLS_LAST_ON_ASC_FIRST_ON_DESC'");
      statement.execute("SET integer_division = true");
    }
    return duckDb;
  }

  private static String column(Field field) {
    return "'" + field.getName() + "': '" + TYPES.get(field.getType().getTypeName()) + "'";
  }

  public List<List<Object>> query(String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      List<List<Object>> rows = new ArrayList<>();
      while (result.next()) {
        List<Object> row = new ArrayList<>();
        for (int column = 1; column <= result.getMetaData().getColumnCount(); column++) {
          row.add(result.getObject(column));
        }
        rows.add(row);
      }
      return rows;
    }
  }

  /**
   * Writes a table as a Parquet file.
   *
   * @param columns what to select, such as {@code *}
   */
  public void writeParquet(DataTable table, String columns, Path file, int rowGroup)
      throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "COPY (SELECT "
              + columns
              + " FROM "
              + table.tableName()
              + ") TO '"
              + file
              + "' (FORMAT parquet, ROW_GROUP_SIZE "
              + rowGroup
              + ")");
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
