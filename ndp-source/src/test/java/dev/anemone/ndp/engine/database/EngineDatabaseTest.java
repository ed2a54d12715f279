// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ndp.engine.TestLimits;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EngineDatabaseTest {

  @TempDir Path directory;

  @Test
  void afterAFatalErrorTheNextPlanHasANewDatabase() throws Exception {
    Path text = Files.writeString(directory.resolve("text"), "7\n8\n");
    try (EngineDatabase shared =
        new EngineDatabase(
            TestLimits.in(directory),
            List.of(),
            (limits, files, spill) -> DriverManager.getConnection("jdbc:duckdb:"))) {
      try (Connection broken = shared.connect();
          Connection beside = shared.connect()) {
        assertThatThrownBy(() -> fail(broken, text)).hasMessageContaining("INTERNAL Error");
        assertThatThrownBy(() -> one(beside)).hasMessageContaining("FATAL Error");
      }
      try (Connection next = shared.connect()) {
        assertThat(one(next)).isEqualTo(1);
      }
    }
  }

  /** A mistake of DuckDB's 2.0, which {@link LockedDatabase} goes round. */
  private static void fail(Connection database, Path text) throws SQLException {
    try (Statement statement = database.createStatement();
        ResultSet result =
            statement.executeQuery(
                "SELECT key, max(wide) FROM (SELECT CAST(CAST(x AS DECIMAL(13,2)) + CAST(1.25 AS"
                    + " DECIMAL(13,2)) AS DECIMAL(13,2)) AS key, CAST(x AS DECIMAL(30,1)) AS wide"
                    + " FROM read_csv('"
                    + text
                    + "', auto_detect = false, columns = {'x': 'DECIMAL(10,0)'})) GROUP BY key")) {
      result.next();
    }
  }

  private static int one(Connection database) throws SQLException {
    try (Statement statement = database.createStatement();
        ResultSet result = statement.executeQuery("SELECT 1")) {
      result.next();
      return result.getInt(1);
    }
  }
}
