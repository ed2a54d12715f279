// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.duckdb.DuckDBConnection;

/**
 * A DuckDB that plans over batches share, since to open one takes tens of milliseconds. It can read
 * no file at all. Each plan has a connection with tables of its own; memory and threads are those
 * of all together. Opened when it is first asked for. Thread-safe.
 */
final class EngineDatabase implements AutoCloseable {

  private final NdpEngineLimits limits;
  private Connection first;
  private Path directory;

  EngineDatabase(NdpEngineLimits limits) {
    this.limits = limits;
  }

  /** A new connection, to be closed by the caller before this is closed. */
  synchronized Connection connect() throws IOException, SQLException {
    if (first == null) {
      directory = Files.createTempDirectory(limits.workDirectory(), "engine-");
      first = LockedDatabase.open(limits, List.of(), directory.resolve("spill"));
    }
    return first.unwrap(DuckDBConnection.class).duplicate();
  }

  @Override
  public synchronized void close() throws IOException, SQLException {
    if (directory == null) {
      return;
    }
    try {
      if (first != null) {
        first.close();
      }
    } finally {
      PlanRun.delete(directory);
      first = null;
      directory = null;
    }
  }
}
