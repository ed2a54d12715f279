// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine;

import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ndp.engine.split.Split;
import dev.anemone.ndp.sql.SqlText;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;

/**
 * Finds the values of a Parquet file that cannot be read, which the engine does not name: reads
 * each column of each row group alone. For a plan that has failed, since it reads all of a scan.
 */
final class ParquetDamage {

  /** What the engine says of plans that failed for what they compute, or for who stopped them. */
  private static final String OTHER_FAILURES =
      "(?s).*(Out of Memory|Overflow|Out of Range|Conversion|INTERRUPT|Interrupt|Division).*";

  private ParquetDamage() {}

  /** Whether a failure may be one of data that cannot be read. */
  static boolean mayCause(String message) {
    return !message.matches(OTHER_FAILURES);
  }

  /**
   * The first values that cannot be read: in which row group, from 0, and column they are.
   *
   * @param database which has run nothing that failed
   * @param wanted row groups that it leaves out have not been read
   * @param running told of each statement before it runs
   */
  static Optional<String> find(
      Connection database,
      Path file,
      RowType scan,
      Split split,
      GroupFilter wanted,
      StatementWatch running)
      throws SQLException {
    ParquetFile parquet = ParquetFile.read(database, file);
    List<ParquetFile.RowGroup> read = GroupChoice.of(parquet, split, wanted).groups();
    for (int group = 0; group < parquet.groups().size(); group++) {
      ParquetFile.RowGroup rows = parquet.groups().get(group);
      if (!read.contains(rows)) {
        continue;
      }
      for (Field field : scan.fields()) {
        if (parquet.columns().containsKey(field.name())
            && !isRead(database, file, field.name(), rows, running)) {
          return Optional.of("row group " + group + ", column " + field.name());
        }
      }
    }
    return Optional.empty();
  }

  /** Told of statements, so that others can stop them. */
  @FunctionalInterface
  interface StatementWatch {
    void runs(Statement statement);
  }

  private static boolean isRead(
      Connection database,
      Path file,
      String column,
      ParquetFile.RowGroup rows,
      StatementWatch running)
      throws SQLException {
    try (Statement statement = database.createStatement()) {
      running.runs(statement);
      // A hash needs the values, where a count would be content with the footer.
      statement.execute(
          "SELECT max(hash("
              + SqlText.name(column)
              + ")) FROM read_parquet("
              + SqlText.string(file.toString())
              + ", file_row_number = true) WHERE file_row_number >= "
              + rows.firstRow()
              + " AND file_row_number < "
              + (rows.firstRow() + rows.rows()));
      return true;
    } catch (SQLException unreadable) {
      return false;
    }
  }
}
