// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine;

import dev.anemone.ir.relational.RelationalPlan;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.query.RelationalQuery;
import dev.anemone.ndp.engine.database.NdpEngineLimits;
import dev.anemone.ndp.engine.split.Split;
import dev.anemone.ndp.engine.split.SplitBytes;
import dev.anemone.ndp.format.CsvFormat;
import dev.anemone.ndp.format.FileFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs plans on splits of files. Thread-safe: plans run at the same time, each within the limits
 * and in a database of its own, but for those that read no file; how many is for the caller to
 * bound.
 */
public final class NdpEngine implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(NdpEngine.class);
  private static final AtomicBoolean STARTED_AHEAD = new AtomicBoolean();

  private final NdpEngineLimits limits;
  private final PlanDatabases databases;
  private final BufferAllocator allocator = new RootAllocator();
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "plan-deadlines");
            thread.setDaemon(true);
            return thread;
          });

  /**
   * An engine for plans that do not know each other.
   *
   * @param limits what each plan may use; those over batches alone have the memory and threads
   *     together
   */
  public NdpEngine(NdpEngineLimits limits) {
    this(limits, new PlanDatabases(limits));
  }

  /**
   * An engine for plans of one job, which share a database where they read copies of files.
   *
   * @param limits what each plan may use
   * @param plansAtOnce how many run at the same time, at most: those that share a database have as
   *     much memory together
   */
  public static NdpEngine ofOneJob(NdpEngineLimits limits, int plansAtOnce) {
    return new NdpEngine(limits, PlanDatabases.shared(limits, plansAtOnce));
  }

  private NdpEngine(NdpEngineLimits limits, PlanDatabases databases) {
    this.limits = Objects.requireNonNull(limits, "limits");
    this.databases = databases;
    if (!Files.isDirectory(limits.workDirectory())) {
      throw new IllegalArgumentException(
          limits.workDirectory() + ", where plans keep their files, is no directory");
    }
  }

  /**
   * Begins to load DuckDB, once in a JVM: its driver unpacks a library of 70 MB for the first
   * database, a quarter of a second that a program can spend on something else. Does not wait, and
   * keeps no JVM from its end. Thread-safe.
   */
  public static void startAhead() {
    if (STARTED_AHEAD.compareAndSet(false, true)) {
      Thread thread = new Thread(NdpEngine::load, "engine-start");
      thread.setDaemon(true);
      thread.start();
    }
  }

  private static void load() {
    try {
      DriverManager.getConnection("jdbc:duckdb:").close();
    } catch (SQLException | LinkageError e) {
      // Who needs the engine meets this again, and fails by it.
      LOG.debug("The engine cannot be started ahead", e);
    }
  }

  /**
   * Opens the database that plans of one job share which read copies of files; else the first of
   * them does, which takes some 20 ms.
   *
   * @throws IllegalStateException when plans of this engine share none
   * @throws NdpEngineException when it cannot be opened
   */
  public void openAhead() {
    try {
      databases.openForCopies();
    } catch (IOException | SQLException e) {
      throw new NdpEngineException("the engine cannot be opened", e);
    }
  }

  /**
   * Starts a plan. The union of the answers for all splits of a file is the answer for the file,
   * where an aggregate is a partial one.
   *
   * @return the answer, to be closed by the caller
   * @throws dev.anemone.ir.relational.InvalidPlanException when the plan is not one for the table,
   *     or has an aggregate that is not partial and last
   * @throws NdpEngineException when it fails
   */
  public PlanAnswer run(RelationalPlan plan, Table table, Split split) {
    PlanCheck.check(plan, table.columns());
    return new PlanRun(limits, databases, () -> false)
        .start(plan, new FileInput(table, split), allocator, clock);
  }

  /**
   * Starts a plan on a split of a file that lies elsewhere. The engine reads CSV while it comes;
   * what is compressed is decompressed here before. Of all else, and of small splits that are not
   * compressed, it reads a copy in the work directory, made before the query starts: of text the
   * records of the split, of Parquet the footer and the plan's columns in the split's row groups.
   * The deadline counts from here.
   *
   * @param format how the rows lie in the file
   * @param columns all columns, in the order of the file for CSV; by name for Parquet
   * @param bytes the file, which is used, by another thread, until the answer is closed or this
   *     throws; left open
   * @return the answer, to be closed by the caller
   * @throws dev.anemone.ir.relational.InvalidPlanException as {@link #run(RelationalPlan, Table,
   *     Split)}
   * @throws NdpEngineException when it fails; the cause is that of {@code bytes} when that failed
   *     by an exception that is checked; others are thrown as they are, here or by the answer
   */
  public PlanAnswer run(
      RelationalPlan plan, FileFormat format, RowType columns, SplitBytes bytes, Split split) {
    return run(plan, format, columns, bytes, split, () -> false);
  }

  /**
   * The same, ended also when nobody wants the answer any more.
   *
   * @param unwanted asked again and again, by any thread
   */
  public PlanAnswer run(
      RelationalPlan plan,
      FileFormat format,
      RowType columns,
      SplitBytes bytes,
      Split split,
      BooleanSupplier unwanted) {
    PlanCheck.check(plan, columns);
    return new PlanRun(limits, databases, unwanted)
        .start(plan, input(format, columns, bytes, split), allocator, clock);
  }

  private static PlanInput input(
      FileFormat format, RowType columns, SplitBytes bytes, Split split) {
    return format instanceof CsvFormat csv
        ? new StreamedText(csv, columns, bytes, split)
        : new RemoteInput(format, columns, bytes, split);
  }

  /**
   * Opens a split of a file that lies elsewhere for several plans. What they read of it is copied
   * first; the deadline for all of them counts from here.
   *
   * @param scan columns that the plans read
   * @param bytes the file, which is not used any more when this returns; left open
   * @return to be closed by the caller, after the answers
   * @throws NdpEngineException as {@link #run(RelationalPlan, FileFormat, RowType, SplitBytes,
   *     Split)}
   */
  public OpenSplit open(
      RowType scan, FileFormat format, RowType columns, SplitBytes bytes, Split split) {
    PlanCheck.check(new RelationalPlan(scan, List.of()), columns);
    PlanRun run = new PlanRun(limits, databases, () -> false);
    run.prepare(
        scan, GroupFilter.NONE, new RemoteInput(format, columns, bytes, split), allocator, clock);
    return new OpenSplit(run, columns, scan);
  }

  /**
   * Starts a plan on batches, the answer to the operators before it. They are drawn while the
   * answer is read.
   *
   * @param batches with a schema as {@link ArrowTypes#schemaOf} gives for the plan's scan, by
   *     position; closed with the answer, and also when this throws
   * @return the answer, to be closed by the caller
   * @throws dev.anemone.ir.relational.InvalidPlanException when the batches have other columns than
   *     the plan's scan, or the plan has an aggregate that is not partial and last
   * @throws NdpEngineException when it fails; its cause is what {@code batches} threw, when they
   *     did
   */
  public PlanAnswer run(RelationalPlan plan, ArrowReader batches) {
    return new PlanRun(limits, databases, () -> false).start(plan, batches, allocator, clock);
  }

  /**
   * Starts a query on whole tables, and on batches.
   *
   * @param tables the files of each input of the query that is a table, at least one each
   * @param batches those of each other input, with a schema as {@link ArrowTypes#schemaOf} gives
   *     for it, by position; closed with the answer, and also when this throws
   * @param unwanted asked again and again, by any thread, whether the query should end
   * @return the answer, to be closed by the caller
   * @throws dev.anemone.ir.relational.InvalidPlanException when a table lacks a column of an input
   * @throws NdpEngineException when it fails
   */
  public PlanAnswer run(
      RelationalQuery query,
      Map<String, List<Table>> tables,
      Map<String, ArrowReader> batches,
      BooleanSupplier unwanted) {
    return new PlanRun(limits, databases, unwanted)
        .start(
            new RelationalPlan(query.row(), List.of()),
            new QueryInput(query, tables, batches),
            allocator,
            clock);
  }

  /** Ends what is left of the engine; all answers must be closed. */
  @Override
  public void close() {
    clock.shutdownNow();
    try (allocator) {
      databases.close();
    } catch (IOException | SQLException e) {
      throw new NdpEngineException("the engine could not be cleared away", e);
    }
  }
}
