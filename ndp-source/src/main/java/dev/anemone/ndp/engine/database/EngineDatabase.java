// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine.database;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.duckdb.DuckDBConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A DuckDB that plans over batches share, since to open one takes tens of milliseconds. It can read
 * and write files of its own directory, which it is told beforehand, and no other file. Each plan
 * has a connection with tables of its own; memory and threads are those of all together. Opened
 * when it is first asked for, and anew after an error of DuckDB's own that ended it, so that one
 * query ends no others but those that run beside it. Thread-safe.
 */
public final class EngineDatabase implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(EngineDatabase.class);

  private final Opener opener;
  private final NdpEngineLimits limits;
  private final List<String> files;
  private Connection first;
  private Path directory;

  /** One that can read and write no file at all. */
  public EngineDatabase(NdpEngineLimits limits) {
    this(limits, List.of());
  }

  /**
   * A database.
   *
   * @param files names of those that it may read and write, in its directory
   */
  public EngineDatabase(NdpEngineLimits limits, List<String> files) {
    this(
        limits,
        files,
        (allowed, paths, spill) ->
            LockedDatabase.open(allowed, paths, spill, JoinOrder.OF_THE_ENGINE));
  }

  /**
   * A database that is opened in another way.
   *
   * @param files as above
   */
  public EngineDatabase(NdpEngineLimits limits, List<String> files, Opener opener) {
    this.limits = limits;
    this.files = List.copyOf(files);
    this.opener = opener;
  }

  /** Opens databases, by {@link LockedDatabase}. */
  public interface Opener {

    /** Opens a database that can read these files, and puts what has no room into a directory. */
    Connection open(NdpEngineLimits limits, List<Path> files, Path spill) throws SQLException;
  }

  /** A new connection, to be closed by the caller before this is closed. */
  public synchronized Connection connect() throws IOException, SQLException {
    if (first != null && hasEnded()) {
      close();
    }
    if (first == null) {
      directory = Files.createTempDirectory(limits.workDirectory(), "engine-");
      first =
          opener.open(
              limits, files.stream().map(directory::resolve).toList(), directory.resolve("spill"));
    }
    return first.unwrap(DuckDBConnection.class).duplicate();
  }

  /** After a fatal error DuckDB refuses every statement, and only a new database helps. */
  private boolean hasEnded() {
    try (Statement statement = first.createStatement()) {
      statement.execute("SELECT 1");
      return false;
    } catch (SQLException e) {
      LOG.warn("The engine has ended by an error of its own, and is opened anew", e);
      return true;
    }
  }

  /** Where a file of its own lies, once it was connected to; gone when this is closed. */
  public synchronized Path file(String name) {
    return directory.resolve(name);
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
      WorkDirectory.delete(directory);
      first = null;
      directory = null;
    }
  }
}
