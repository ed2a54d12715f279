// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.crail;

import dev.anemone.cli.Anemone;
import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.papers.job.Workload;
import dev.anemone.runtime.resource.FileTrees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;

/** A join of two sets of Parquet by their keys, whose result is Parquet: in columns, shuffled. */
final class JoinedSets implements Workload {
  /** A number and two hashes as hexadecimal digits. */
  private static final int ROW_BYTES = Long.BYTES + 2 * 32;

  /**
   * A prime by whose multiples keys are strewn: each of them comes once where it divides no size.
   */
  private static final int STRIDE = 7919;

  /** Does not depend on the order of rows. */
  private static final String SUM = "count(*) || ' rows ' || bit_xor(hash(k, a, b))";

  private static final int PARTITIONS = 16;

  private final Path directory;
  private final long rows;
  private final String right;

  private JoinedSets(Path directory, long rows, String right) {
    this.directory = directory;
    this.rows = rows;
    this.right = right;
  }

  /** Makes the sets in a directory, each of so many MB before Parquet compresses it. */
  static JoinedSets make(Path directory, int megabytes) throws IOException {
    long rows = megabytes * 1_000_000L / ROW_BYTES;
    rows += rows % STRIDE == 0 ? 1 : 0;
    Path ones = Files.createDirectories(directory.resolve("ones"));
    Path twos = Files.createDirectories(directory.resolve("twos"));
    String right =
        inDuckDb(
            "COPY (SELECT range AS k, md5('a' || range) || md5('b' || range) AS a FROM range("
                + rows
                + ")) TO '"
                + ones.resolve("set.parquet")
                + "' (FORMAT parquet)",
            "COPY (SELECT range * "
                + STRIDE
                + " % "
                + rows
                + " AS k, md5('c' || range) || md5('d' || range) AS b FROM range("
                + rows
                + ")) TO '"
                + twos.resolve("set.parquet")
                + "' (FORMAT parquet)",
            "SELECT "
                + SUM
                + " FROM '"
                + ones
                + "/*.parquet' JOIN '"
                + twos
                + "/*.parquet' USING (k)");
    JoinedSets made = new JoinedSets(directory, rows, right);
    Files.writeString(
        made.script(),
        """
        CREATE EXTERNAL TABLE ones (k BIGINT, a VARCHAR) TYPE parquet LOCATION '%1$s/ones/';
        CREATE EXTERNAL TABLE twos (k BIGINT, b VARCHAR) TYPE parquet LOCATION '%1$s/twos/';
        CREATE EXTERNAL TABLE joined (k BIGINT, a VARCHAR, b VARCHAR) TYPE parquet
          LOCATION '%1$s/joined/';
        INSERT INTO joined SELECT ones.k, a, b FROM ones JOIN twos ON ones.k = twos.k;
        """
            .formatted(directory));
    return made;
  }

  private static String inDuckDb(String... statements) throws IOException {
    try (Connection database = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = database.createStatement()) {
      for (int i = 0; i < statements.length - 1; i++) {
        statement.execute(statements[i]);
      }
      try (ResultSet answer = statement.executeQuery(statements[statements.length - 1])) {
        answer.next();
        return answer.getString(1);
      }
    } catch (SQLException e) {
      throw new IOException(e);
    }
  }

  private Path script() {
    return directory.resolve("join.sql");
  }

  private Path joined() {
    return directory.resolve("joined");
  }

  @Override
  public String describe() {
    return String.format(
        Locale.ROOT,
        "a join of two Parquet sets of %,d rows, %,d MB each before compression, by unique keys",
        rows,
        rows * ROW_BYTES / 1_000_000);
  }

  @Override
  public long inputBytes() {
    return 2 * rows * ROW_BYTES;
  }

  @Override
  public Class<?> program() {
    return Anemone.class;
  }

  @Override
  public List<String> arguments() {
    return List.of(
        "sql",
        "-f",
        script().toString(),
        "--columnar=distributed",
        "--broadcastJoinBytes=0",
        "--exchangePartitions=" + PARTITIONS,
        "--passOptions=keepExchanges=true");
  }

  @Override
  public void check(String side) throws IOException {
    String found = inDuckDb("SELECT " + SUM + " FROM read_parquet('" + joined() + "/output-*')");
    FileTrees.delete(joined());
    if (!found.equals(right)) {
      throw new ExperimentFailure(
          "The join with %s is wrong, so its figures mean nothing: it found %s, and DuckDB %s.",
          side, found, right);
    }
  }

  @Override
  public void close() throws IOException {
    FileTrees.delete(directory);
  }
}
