// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.examples.launcher.Launcher;
import dev.anemone.examples.launcher.Launcher.Run;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Queries on more than fits into memory go to disk, and their process stays as large as is said.
 */
class MemoryBoundIT {

  private static final Duration DEADLINE = Duration.ofMinutes(5);
  private static final int HEAP_MB = 512;
  private static final int ENGINE_MB = 100;

  /** Of the heap and the engine together, as the JVM itself takes some. */
  private static final double MOST = 1.1;

  private static final int ROWS = 2_000_000;

  /** Each has to keep all rows, of about 200 bytes, before it gives the first one. */
  private static final List<String> QUERIES =
      List.of(
          "SELECT COUNT(*) AS g, SUM(n) AS n FROM (SELECT l.a, r.b, COUNT(*) AS n FROM '%1$s' l"
              + " JOIN '%1$s' r ON l.k = r.j GROUP BY l.a, r.b) AS t",
          "SELECT COUNT(*) AS n, MIN(k) AS k FROM (SELECT a, b, k FROM '%1$s' ORDER BY b, a LIMIT"
              + " 700000 OFFSET 700000) AS t",
          "SELECT SUM(rn) AS s FROM (SELECT ROW_NUMBER() OVER (PARTITION BY j ORDER BY a, b) AS rn"
              + " FROM '%1$s') AS t");

  @TempDir private Path directory;

  @Test
  void queriesLargerThanMemoryEndRightWithinIt() throws Exception {
    Path file = directory.resolve("rows.parquet");
    StringBuilder expected = new StringBuilder();
    StringBuilder script = new StringBuilder();
    try (Connection database = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = database.createStatement()) {
      statement.execute(
          "COPY (SELECT i::BIGINT AS k, (hash(i) % "
              + ROWS
              + ")::BIGINT AS j, md5(i::VARCHAR) || md5((i + 1)::VARCHAR) || md5((i + 7)::VARCHAR)"
              + " AS a, md5((i * 31)::VARCHAR) || md5((i * 7)::VARCHAR) AS b FROM range("
              + ROWS
              + ") t (i)) TO '"
              + file
              + "' (FORMAT parquet)");
      for (String query : QUERIES) {
        String said = query.formatted(file);
        script.append(said).append(";\n");
        expected.append(csv(statement, said));
      }
    }
    Path statements = Files.writeString(directory.resolve("queries.sql"), script);
    Path most = directory.resolve("most");

    Run run =
        new Launcher(directory, Map.of("ANEMONE_HEAP", HEAP_MB + "m"), DEADLINE)
            .bash(
                """
                %s sql --format=csv --slots=2 --columnarMemoryMb=%d -f %s &
                while kill -0 $! 2> /dev/null; do
                  grep --no-messages VmHWM /proc/$!/status > %s.now && mv %s.now %s
                  sleep 0.1
                done
                wait $!
                """
                    .formatted(Launcher.script(), ENGINE_MB, statements, most, most, most))
            .succeeds();

    assertThat(run.out()).isEqualTo(expected.toString());
    assertThat(Long.parseLong(Files.readString(most).replaceAll("\\D", "")) >> 10)
        .as("MB resident at most")
        .isLessThan((long) ((HEAP_MB + ENGINE_MB) * MOST));
  }

  private static String csv(Statement statement, String query) throws Exception {
    StringBuilder csv = new StringBuilder();
    try (ResultSet rows = statement.executeQuery(query)) {
      int columns = rows.getMetaData().getColumnCount();
      for (int i = 1; i <= columns; i++) {
        csv.append(i == 1 ? "\"" : ",\"").append(rows.getMetaData().getColumnName(i)).append('"');
      }
      csv.append('\n');
      while (rows.next()) {
        for (int i = 1; i <= columns; i++) {
          csv.append(i == 1 ? "\"" : ",\"").append(rows.getString(i)).append('"');
        }
        csv.append('\n');
      }
    }
    return csv.toString();
  }
}
