// SPDX-License-Identifier: Apache-2.0
package dev.anemone.shell;

import java.util.Optional;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.runtime.CalciteContextException;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.parser.SqlParseException;

/**
 * Where a statement is wrong.
 *
 * @param line within the statement, from 1 on
 * @param column within the line, from 1 on
 * @param what is wrong there, in one paragraph
 */
record ErrorPlace(int line, int column, String what) {

  /** The place that an error, or a cause of it, names. */
  static Optional<ErrorPlace> of(Throwable error) {
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      if (cause instanceof CalciteContextException context && context.getPosLine() > 0) {
        return Optional.of(
            new ErrorPlace(context.getPosLine(), context.getPosColumn(), innermost(context)));
      }
      if (cause instanceof SqlParseException parse && parse.getPos() != null) {
        return Optional.of(
            new ErrorPlace(
                parse.getPos().getLineNum(), parse.getPos().getColumnNum(), firstLine(parse)));
      }
    }
    return Optional.empty();
  }

  /** The line of the statement, and below it a caret. */
  String picture(Statement statement) {
    String[] lines = statement.text().split("\n", -1);
    String text = lines[Math.min(line, lines.length) - 1];
    return text + "\n" + " ".repeat(Math.max(0, column - 1)) + "^";
  }

  /** What is wrong, with the place in the script that has the statement. */
  String sentence(Statement statement) {
    return "Line "
        + (statement.line() + line - 1)
        + ", column "
        + (line == 1 ? statement.column() + column - 1 : column)
        + ": "
        + what;
  }

  private static String innermost(Throwable error) {
    Throwable cause = error;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return String.valueOf(cause.getMessage());
  }

  private static String firstLine(SqlParseException error) {
    return String.valueOf(error.getMessage()).lines().findFirst().orElse("it is no SQL");
  }
}
