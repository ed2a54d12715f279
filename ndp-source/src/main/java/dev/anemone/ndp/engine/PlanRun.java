// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine;

import dev.anemone.ir.relational.RelationalPlan;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ndp.engine.database.LockedDatabase;
import dev.anemone.ndp.engine.database.NdpEngineLimits;
import dev.anemone.ndp.engine.database.WorkDirectory;
import dev.anemone.ndp.engine.profile.OperatorRows;
import dev.anemone.ndp.engine.profile.QueryProfile;
import dev.anemone.ndp.sql.PlanSql;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.duckdb.DuckDBResultSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One plan while it runs, or several in turn on the same rows, with all that must be given back
 * when it ends, however it ends.
 */
final class PlanRun implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(PlanRun.class);

  /** Rows of a batch: a few hundred kilobytes of usual rows. */
  private static final int BATCH_ROWS = 8192;

  /** Lines of a message of DuckDB that say something; the others repeat its options. */
  private static final int MESSAGE_LINES = 3;

  /** Between two tries to stop what has run for too long. */
  private static final long STOP_INTERVAL_MS = 100;

  /** How DuckDB's driver says that a streamed query has failed, from version 2.0 on. */
  private static final String NO_RESULT = "Invalid result set";

  /** How DuckDB says that it lacks memory. */
  private static final String OUT_OF_MEMORY = "Out of Memory Error";

  private final NdpEngineLimits limits;
  private final PlanDatabases databases;
  private final Deque<AutoCloseable> resources = new ArrayDeque<>();
  private final AtomicBoolean late = new AtomicBoolean();

  /** Gives files in messages of the engine the names that users know. */
  private UnaryOperator<String> names = UnaryOperator.identity();

  /** Finds what of that cannot be read. */
  private DamageSearch damage = Optional::empty;

  /** Looks for values that cannot be read. */
  @FunctionalInterface
  private interface DamageSearch {
    Optional<String> find() throws IOException, SQLException;
  }

  private final BooleanSupplier unwanted;
  private final AtomicLong copied = new AtomicLong();
  private volatile PlanInput source;
  private BufferAllocator allocator;
  private Connection database;
  private ScanQuery scanned;
  private volatile Statement running;

  /**
   * @param databases where it runs
   * @param unwanted asked again and again, by any thread, whether the plan should end
   */
  PlanRun(NdpEngineLimits limits, PlanDatabases databases, BooleanSupplier unwanted) {
    this.limits = limits;
    this.databases = databases;
    this.unwanted = unwanted;
  }

  PlanAnswer start(
      RelationalPlan plan,
      PlanInput input,
      BufferAllocator parent,
      ScheduledExecutorService clock) {
    prepare(plan.scan(), GroupFilter.of(plan), input, parent, clock);
    return answer(plan, 0);
  }

  /**
   * Makes ready what plans with this scan need.
   *
   * @param wanted what all of them make of its rows
   */
  void prepare(
      RowType scan,
      GroupFilter wanted,
      PlanInput input,
      BufferAllocator parent,
      ScheduledExecutorService clock) {
    resources.push(input::release);
    source = input;
    try {
      setAlarm(clock);
      allocator = parent.newChildAllocator("plan", 0, Long.MAX_VALUE);
      resources.push(allocator);
      Path directory = Files.createTempDirectory(databases.directory(input), "plan-");
      resources.push(() -> WorkDirectory.delete(directory));
      resources.push(input::stop);
      Path file = directory.resolve("input");
      List<Path> readable = input.paths(file);
      names = message -> input.named(message, file);
      input.place(file, this::beforeCopying);
      database = databases.connect(input, readable, directory.resolve("spill"));
      resources.push(database);
      scanned = input.query(database, scan, wanted, file, this::beforeCopying);
      Path spill = directory.resolve("spill-again");
      damage = () -> damage(input, scan, wanted, file, readable, spill);
    } catch (IOException | SQLException e) {
      throw closed(failure(e));
    } catch (RuntimeException e) {
      throw closed(e);
    }
  }

  /** Starts a plan on what is ready; one at a time. The answer ends only itself. */
  PlanAnswer next(RelationalPlan plan) {
    return answer(plan, resources.size());
  }

  /**
   * Starts a plan.
   *
   * @param kept how many of the resources stay when the answer is closed
   */
  private PlanAnswer answer(RelationalPlan plan, int kept) {
    try {
      return new PlanAnswer(
          this,
          () -> close(kept),
          plan.output(),
          scanned,
          execute(PlanSql.of(plan, scanned.sql())));
    } catch (IOException | SQLException e) {
      throw closed(failure(e));
    } catch (RuntimeException e) {
      throw closed(e);
    }
  }

  /** The same over batches, which are closed with the run. */
  PlanAnswer start(
      RelationalPlan plan,
      ArrowReader batches,
      BufferAllocator parent,
      ScheduledExecutorService clock) {
    return start(plan, new BatchInput(batches, "batches"), parent, clock);
  }

  private void setAlarm(ScheduledExecutorService clock) {
    long deadline = limits.deadline().toMillis();
    long due = System.nanoTime() + limits.deadline().toNanos();
    // Again and again, because DuckDB forgets to stop what it was about to start.
    ScheduledFuture<?> alarm =
        clock.scheduleWithFixedDelay(
            () -> stopWhen(System.nanoTime() - due >= 0),
            Math.min(deadline, STOP_INTERVAL_MS),
            STOP_INTERVAL_MS,
            TimeUnit.MILLISECONDS);
    resources.push(() -> alarm.cancel(false));
  }

  private ArrowReader execute(String query) throws SQLException {
    LOG.debug("The engine runs {}", query);
    Statement statement = database.createStatement();
    resources.push(statement);
    running = statement;
    resources.push(() -> running = null);
    requireInTime();
    ResultSet result = run(statement, query);
    resources.push(result);
    ArrowReader reader =
        (ArrowReader) result.unwrap(DuckDBResultSet.class).arrowExportStream(allocator, BATCH_ROWS);
    resources.push(reader);
    return reader;
  }

  /**
   * Of a streamed query that fails before its first rows, DuckDB's driver says only that there is
   * no result. It says why when the query runs without a result, which such a query does not do for
   * long.
   */
  private ResultSet run(Statement statement, String query) throws SQLException {
    try {
      return statement.executeQuery(query);
    } catch (SQLException e) {
      if (!String.valueOf(e.getMessage()).endsWith(NO_RESULT)
          || !source.isRepeatable()
          || source.failure().isPresent()) {
        throw e;
      }
      requireInTime();
      source.readAgain();
      // The statement has been closed by its failure.
      try (Statement again = database.createStatement()) {
        running = again;
        again.execute("EXPLAIN ANALYZE " + query);
      } catch (SQLException reason) {
        reason.addSuppressed(e);
        throw reason;
      } finally {
        running = null;
      }
      throw e;
    }
  }

  /** What the plan that has ended last has given, operator by operator. */
  List<OperatorRows> operators() {
    try {
      return QueryProfile.of(database);
    } catch (SQLException e) {
      throw new NdpEngineException("the engine does not tell what its operators gave", e);
    }
  }

  private void stopWhen(boolean isLate) {
    if (isLate) {
      late.set(true);
    }
    if (isLate || unwanted.getAsBoolean()) {
      source.wake();
    }
    Statement statement = running;
    if (statement != null && (isLate || unwanted.getAsBoolean())) {
      try {
        statement.cancel();
      } catch (SQLException e) {
        throw new NdpEngineException("a plan that took too long cannot be stopped", e);
      }
    }
  }

  void requireInTime() {
    if (late.get()) {
      throw tooLate(null);
    }
    if (unwanted.getAsBoolean()) {
      throw new NdpEngineException(
          "the plan was stopped, because nobody wants its answer any more");
    }
  }

  /**
   * The engine may have taken for the end of what it reads what was none.
   *
   * @throws NdpEngineException or what the source has thrown, when that is so
   */
  void requireWhole() {
    Optional<RuntimeException> broken = source.failure();
    if (broken.isPresent()) {
      throw late.get() ? tooLate(broken.get()) : broken.get();
    }
  }

  private void beforeCopying(long bytes) {
    requireInTime();
    if (copied.addAndGet(bytes) > limits.diskBytes()) {
      throw new NdpEngineException(
          "what the plan reads is more than "
              + limits.diskBytes()
              + " bytes, which is all that may be copied for it");
    }
  }

  private NdpEngineException tooLate(Exception cause) {
    return new NdpEngineException(
        "the plan was stopped after " + limits.deadline().toMillis() + " ms, its deadline", cause);
  }

  /** What went wrong, in words for whoever sent the plan. */
  RuntimeException failure(Exception cause) {
    if (late.get()) {
      return tooLate(cause);
    }
    Optional<RuntimeException> broken = source.failure();
    if (broken.isPresent()) {
      broken.get().addSuppressed(cause);
      return broken.get();
    }
    String message = names.apply(String.valueOf(cause.getMessage()));
    List<String> lines = message.lines().map(String::strip).limit(MESSAGE_LINES).toList();
    String failed = "the plan failed: " + String.join(" ", lines);
    if (message.contains(OUT_OF_MEMORY)) {
      return NdpEngineException.outOfMemory(failed + memory(), cause);
    }
    return new NdpEngineException(failed + unreadable(message, cause), cause);
  }

  private String unreadable(String message, Exception cause) {
    if (!source.mayBeDamaged(message)) {
      return "";
    }
    try {
      return damage.find().map(place -> "; cannot be read: " + place).orElse("");
    } catch (IOException | SQLException e) {
      cause.addSuppressed(e);
      return "";
    }
  }

  /** In a database of its own, since a failure may have ended the plan's. */
  private Optional<String> damage(
      PlanInput input, RowType scan, GroupFilter wanted, Path file, List<Path> readable, Path spill)
      throws IOException, SQLException {
    if (readable.isEmpty()) {
      return Optional.empty();
    }
    try (Connection again = LockedDatabase.open(limits, readable, spill, input.joinOrder())) {
      return input.damage(again, scan, wanted, file, statement -> running = statement);
    } finally {
      running = null;
    }
  }

  private String memory() {
    return "; it had "
        + (limits.memoryBytes() >> 20)
        + " MB of memory, and "
        + (limits.diskBytes() >> 20)
        + " MB of disk for what does not fit there"
        + limits.memoryOption().map(option -> "; --" + option + " gives it more").orElse("");
  }

  /** The run is closed because of a failure, which is to be thrown. */
  private RuntimeException closed(RuntimeException failure) {
    try {
      close();
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
    }
    return failure;
  }

  @Override
  public void close() {
    close(0);
  }

  private void close(int kept) {
    RuntimeException failure = null;
    while (resources.size() > kept) {
      try {
        resources.pop().close();
      } catch (Exception e) {
        if (failure == null) {
          failure = new NdpEngineException("a plan that had ended could not be cleared away", e);
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
