// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine;

import dev.anemone.ndp.engine.database.EngineDatabase;
import dev.anemone.ndp.engine.database.JoinOrder;
import dev.anemone.ndp.engine.database.LockedDatabase;
import dev.anemone.ndp.engine.database.NdpEngineLimits;
import dev.anemone.ndp.engine.database.WorkDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Where the plans of an engine run. Those over batches alone have a database together. Those that
 * read files have one each, which reaches no file of another plan; or, where all plans are of one
 * job and the files are copies, have one together as well, since to open and close one takes as
 * long as to read some megabytes. Thread-safe.
 */
final class PlanDatabases implements AutoCloseable {

  private final NdpEngineLimits limits;
  private final boolean areFilesShared;
  private final NdpEngineLimits ofShared;
  private final EngineDatabase ofBatches;
  private final Map<JoinOrder, EngineDatabase> ofFiles = new EnumMap<>(JoinOrder.class);
  private Path files;

  /** For plans that do not know each other. */
  PlanDatabases(NdpEngineLimits limits) {
    this(limits, false, limits);
  }

  private PlanDatabases(NdpEngineLimits limits, boolean areFilesShared, NdpEngineLimits ofShared) {
    this.limits = limits;
    this.areFilesShared = areFilesShared;
    this.ofShared = ofShared;
    this.ofBatches = new EngineDatabase(ofShared);
  }

  /**
   * For plans of one job.
   *
   * @param limits of a plan
   * @param plansAtOnce whose memory a shared database has
   */
  static PlanDatabases shared(NdpEngineLimits limits, int plansAtOnce) {
    return new PlanDatabases(limits, true, limits.withMemory(plansAtOnce * limits.memoryBytes()));
  }

  /** An existing directory, in which a plan on this input makes its own. */
  Path directory(PlanInput input) throws IOException {
    return isShared(input) ? sharedDirectory() : limits.workDirectory();
  }

  private boolean isShared(PlanInput input) {
    return areFilesShared && !input.mayBeLinks();
  }

  private synchronized Path sharedDirectory() throws IOException {
    if (files == null) {
      files = Files.createTempDirectory(limits.workDirectory(), "plans-");
    }
    return files;
  }

  /**
   * A connection for a plan, to be closed by the caller before this is closed.
   *
   * @param readable the input's files, in the directory of the plan; none where it has batches
   *     alone
   * @param spill where a database of the plan's own may put what does not fit into memory
   */
  Connection connect(PlanInput input, List<Path> readable, Path spill)
      throws IOException, SQLException {
    if (readable.isEmpty()) {
      return ofBatches.connect();
    }
    return isShared(input)
        ? ofFiles(input.joinOrder()).connect()
        : LockedDatabase.open(limits, readable, spill, input.joinOrder());
  }

  /** Opens the database that plans on copies of files will share. */
  void openForCopies() throws IOException, SQLException {
    if (!areFilesShared) {
      throw new IllegalStateException("plans that do not know each other share no database");
    }
    ofFiles(JoinOrder.OF_THE_ENGINE).connect().close();
  }

  private synchronized EngineDatabase ofFiles(JoinOrder joinOrder) throws IOException {
    EngineDatabase known = ofFiles.get(joinOrder);
    if (known == null) {
      Path readable = sharedDirectory();
      known =
          new EngineDatabase(
              ofShared,
              List.of(),
              (allowed, none, spill) ->
                  LockedDatabase.openDirectory(allowed, readable, spill, joinOrder));
      ofFiles.put(joinOrder, known);
    }
    return known;
  }

  /** Closes the databases; all connections must be closed. */
  @Override
  public synchronized void close() throws IOException, SQLException {
    try (EngineDatabase batches = ofBatches;
        EngineDatabase ordered = ofFiles.remove(JoinOrder.OF_THE_ENGINE);
        EngineDatabase asSaid = ofFiles.remove(JoinOrder.OF_THE_QUERY)) {
      if (files != null) {
        WorkDirectory.delete(files);
      }
    }
  }
}
