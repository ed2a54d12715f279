// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine.database;

import dev.anemone.ndp.sql.SqlText;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;

/**
 * A DuckDB in memory, which can read some files and reach nothing else: no other path, no network,
 * no extension; and its settings cannot be changed any more.
 */
public final class LockedDatabase {

  private LockedDatabase() {}

  /**
   * Opens one.
   *
   * @param readable the files that it may read
   * @param spill where it may put what does not fit into memory
   */
  public static Connection open(
      NdpEngineLimits limits, List<Path> readable, Path spill, JoinOrder joinOrder)
      throws SQLException {
    return open(
        limits,
        "allowed_paths = "
            + readable.stream()
                .map(file -> SqlText.string(file.toString()))
                .collect(Collectors.joining(", ", "[", "]")),
        spill,
        joinOrder);
  }

  /**
   * Opens one.
   *
   * @param readable the directory of the files that it may read, now and later
   * @param spill as above
   */
  public static Connection openDirectory(
      NdpEngineLimits limits, Path readable, Path spill, JoinOrder joinOrder) throws SQLException {
    return open(
        limits,
        "allowed_directories = [" + SqlText.string(readable.toString()) + "]",
        spill,
        joinOrder);
  }

  private static Connection open(
      NdpEngineLimits limits, String readable, Path spill, JoinOrder joinOrder)
      throws SQLException {
    Properties properties = new Properties();
    // Else all of the result is in memory before the first batch is given out.
    properties.setProperty("jdbc_stream_results", "true");
    Connection database = DriverManager.getConnection("jdbc:duckdb:", properties);
    try (Statement statement = database.createStatement()) {
      for (String setting :
          List.of(
              "threads = " + limits.threads(),
              "memory_limit = '" + (limits.memoryBytes() >> 10) + "KiB'",
              "temp_directory = " + SqlText.string(spill.toString()),
              "max_temp_directory_size = '" + (limits.diskBytes() >> 10) + "KiB'",
              "preserve_insertion_order = false",
              "disabled_optimizers = " + SqlText.string(joinOrder.disabledOptimizers()),
              "enable_profiling = 'no_output'",
              "autoinstall_known_extensions = false",
              "autoload_known_extensions = false",
              "allow_community_extensions = false",
              readable,
              "enable_external_access = false",
              "lock_configuration = true")) {
        statement.execute("SET " + setting);
      }
    } catch (SQLException e) {
      database.close();
      throw e;
    }
    return database;
  }
}
