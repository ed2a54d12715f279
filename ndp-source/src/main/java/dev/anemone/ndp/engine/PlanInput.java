// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine;

import dev.anemone.ir.relational.RowType;
import dev.anemone.ndp.engine.database.JoinOrder;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;

/** Where the rows of a plan's scan come from. */
interface PlanInput {

  /** All paths that the engine may read, below the directory of the plan. */
  default List<Path> paths(Path file) {
    return List.of(file);
  }

  /**
   * A message of the engine, which knows files by where they were put, with the names that users
   * know them by.
   *
   * @param file as for {@link #place}
   */
  default String named(String message, Path file) {
    return message;
  }

  /**
   * Whether what the engine reads may be links to files elsewhere: one that is told a directory,
   * and not each path, does not follow them.
   */
  default boolean mayBeLinks() {
    return false;
  }

  /** Who orders the joins of the plan. */
  default JoinOrder joinOrder() {
    return JoinOrder.OF_THE_ENGINE;
  }

  /**
   * Puts the file for the engine into place, as far as that goes without the engine.
   *
   * @param file the path that the engine may read, if it is one
   * @param watch told between reads how many bytes are about to be copied; what it throws is passed
   *     on
   */
  void place(Path file, LongConsumer watch) throws IOException;

  /**
   * What went wrong where the rows come from while the plan runs, which the engine may take for
   * their end.
   */
  default Optional<RuntimeException> failure() {
    return Optional.empty();
  }

  /** Whether another query can read the rows after one that has failed. */
  default boolean isRepeatable() {
    return true;
  }

  /** Makes the rows come once more, for another query; only where that is possible. */
  default void readAgain() {}

  /** Lets the engine go if it waits for rows that never begin to come. Any thread. */
  default void wake() {}

  /**
   * Ends what still brings rows, before the plan's files are deleted. May be called several times.
   */
  default void stop() {}

  /**
   * Whether a failure of the engine may be one of values that cannot be read.
   *
   * @param message of the engine
   */
  default boolean mayBeDamaged(String message) {
    return ParquetDamage.mayCause(message);
  }

  /**
   * Where values are that cannot be read, as far as that can be found out.
   *
   * @param database which has run nothing that failed
   * @param wanted as for {@link #query}
   * @param file as for {@link #place}
   * @param running told of each statement before it runs
   */
  default Optional<String> damage(
      Connection database,
      RowType scan,
      GroupFilter wanted,
      Path file,
      ParquetDamage.StatementWatch running)
      throws IOException, SQLException {
    return Optional.empty();
  }

  /** Gives back what the input holds; called once, after the plan. */
  default void release() throws Exception {}

  /**
   * The query of the scan's rows.
   *
   * @param database the plan's own
   * @param wanted what the plan makes of the rows
   */
  ScanQuery query(
      Connection database, RowType scan, GroupFilter wanted, Path file, LongConsumer watch)
      throws IOException, SQLException;
}
