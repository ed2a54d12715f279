// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.ndp;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * A table of the rows of two sides of a join, in several files: of the large side a part has one
 * key, or none, and other rows without a key are on either side.
 */
final class SkewedTable implements AutoCloseable {

  static final int FILES = 8;

  private static final String LARGE = "(SELECT id, k, v FROM t WHERE side = 0)";
  private static final String SMALL = "(SELECT id, k, v FROM t WHERE side = 1)";

  private final Connection duckDb;
  private final Path directory;

  /**
   * Writes its files.
   *
   * @param hot part of the large side's rows that has one key
   * @param hotKey what they have; empty: no key
   */
  SkewedTable(Path parent, int rows, double hot, Optional<Integer> hotKey, long seed)
      throws Exception {
    this.duckDb = DriverManager.getConnection("jdbc:duckdb:");
    this.directory = Files.createTempDirectory(parent, "skewed");
    Random random = new Random(seed);
    int keys = rows / 4;
    try (Statement statement = duckDb.createStatement()) {
      statement.execute("CREATE TABLE t (id BIGINT, side BIGINT, k BIGINT, v BIGINT)");
      StringBuilder values = new StringBuilder();
      for (int id = 0; id < rows; id++) {
        boolean large = id % 8 != 0;
        String key =
            large && random.nextDouble() < hot
                ? hotKey.map(String::valueOf).orElse("NULL")
                : random.nextInt(20) == 0 ? "NULL" : String.valueOf(random.nextInt(keys));
        values
            .append(id == 0 ? "" : ", ")
            .append("(%d, %d, %s, %d)".formatted(id, large ? 0 : 1, key, random.nextInt(100)));
      }
      statement.execute("INSERT INTO t VALUES " + values);
      if (hotKey.isPresent()) {
        statement.execute(
            "INSERT INTO t VALUES (%1$d, 1, %2$d, 10), (%3$d, 1, %2$d, 90)"
                .formatted(rows, hotKey.get(), rows + 1));
      }
      for (int file = 0; file < FILES; file++) {
        statement.execute(
            "COPY (SELECT * FROM t WHERE (id // 8) %% %d = %d) TO '%s' (FORMAT parquet)"
                .formatted(FILES, file, directory.resolve(file + ".parquet")));
      }
    }
  }

  String ddl() {
    return "CREATE EXTERNAL TABLE t (id BIGINT, side BIGINT, k BIGINT, v BIGINT) TYPE ndp LOCATION '"
        + directory
        + "' TBLPROPERTIES '{\"format\": \"parquet\"}'";
  }

  /** What DuckDB says, comparable and sorted. */
  List<String> answer(String query) throws Exception {
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

  @Override
  public void close() throws Exception {
    duckDb.close();
  }

  /** Joins of both sides, each kind of them. */
  enum Kind {
    INNER("SELECT a.id, a.v, b.id AS other FROM %s a JOIN %s b ON a.k = b.k"),
    INNER_OTHER("SELECT a.id, a.v, b.id AS other FROM %2$s b JOIN %1$s a ON a.k = b.k"),
    LEFT("SELECT a.id, a.v, b.id AS other FROM %s a LEFT JOIN %s b ON a.k = b.k AND a.v < b.v"),
    RIGHT("SELECT a.id, a.v, b.id AS other FROM %2$s b RIGHT JOIN %1$s a ON a.k = b.k"),
    SEMI(
        "SELECT a.id, a.v FROM %s a WHERE EXISTS (SELECT 1 FROM %s b WHERE b.k = a.k AND b.v > a.v)"),
    ANTI(
        "SELECT a.id, a.v FROM %s a WHERE NOT EXISTS (SELECT 1 FROM %s b WHERE b.k = a.k AND b.v > a.v)"),
    SUMS("SELECT a.v, COUNT(*) AS n, SUM(b.id) AS s FROM %s a JOIN %s b ON a.k = b.k GROUP BY a.v"),
    OUTER_IDS(
        "SELECT a.id, COALESCE(b.id, -1) AS other FROM %s a LEFT JOIN %s b ON a.k = b.k AND a.v < b.v"),
    /** The side that has the hot key is the one that may not be divided. */
    OTHER_SIDE("SELECT a.id, b.id AS other FROM %2$s b LEFT JOIN %1$s a ON a.k = b.k"),
    FULL("SELECT a.id, a.v, b.id AS other FROM %s a FULL JOIN %s b ON a.k = b.k"),
    /** A whole aggregate by the key of the join. */
    OF_KEY(
        "SELECT a.k, COUNT(*) AS n, SUM(b.id) AS s FROM %s a JOIN %s b ON a.k = b.k GROUP BY a.k");

    private final String pattern;

    Kind(String pattern) {
      this.pattern = pattern;
    }

    String query() {
      return pattern.formatted(LARGE, SMALL);
    }
  }
}
