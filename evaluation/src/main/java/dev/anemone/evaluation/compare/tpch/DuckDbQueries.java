// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.tpch;

import dev.anemone.evaluation.lab.data.DuckDbTables;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.Arrays;

/** The queries in DuckDB, as its JDBC driver is set up by itself. */
final class DuckDbQueries {
  private DuckDbQueries() {}

  /** Arguments: directory of answers, directory of tables, numbers of queries. */
  public static void main(String[] args) throws Exception {
    try (Connection database = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = database.createStatement()) {
      DuckDbTables.create(statement, Path.of(args[1]));
      QueryProgram.Engine engine =
          query -> {
            try (ResultSet rows = statement.executeQuery(query.sql())) {
              return DuckDbTables.rows(rows);
            }
          };
      new QueryProgram(engine, Path.of(args[0])).run(Arrays.asList(args).subList(2, args.length));
    }
  }
}
