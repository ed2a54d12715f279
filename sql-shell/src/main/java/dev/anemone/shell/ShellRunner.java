// SPDX-License-Identifier: Apache-2.0
package dev.anemone.shell;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** Runs statements and commands of the shell, and shows what comes of them. Not thread-safe. */
final class ShellRunner {
  private static final String HELP =
      """
      Statements end with a semicolon:
        CREATE EXTERNAL TABLE t (c BIGINT, ...) TYPE parquet LOCATION '...' TBLPROPERTIES '{...}';
        SELECT ... FROM t;            SELECT ... FROM 'data/*.parquet';  (also .csv, .json, hdfs://)
        INSERT INTO t SELECT ...;     EXPLAIN SELECT ...;     DROP TABLE t;
        SHOW TABLES;                  DESCRIBE t;             DESCRIBE 'data/a.csv';
        SET optimizationPolicy = 'DataSkew';                  (any option of pipelines)
      Commands are lines that begin with a dot:
        .timer on|off    say how long each statement takes
        .format NAME     table, csv, json or markdown
        .read FILE       run the statements of a file
        .help            this text
        .quit            leave the shell
      """;
  private static final int DEEPEST_READ = 16;

  private final SqlSession session;
  private final Consumer<String> results;
  private final PrintWriter notes;
  private ResultFormat format;
  private boolean timer;
  private int depth;

  /**
   * A runner.
   *
   * @param results gets the text of each result
   * @param notes for everything else
   */
  ShellRunner(
      SqlSession session, ResultFormat format, Consumer<String> results, PrintWriter notes) {
    this.session = session;
    this.format = format;
    this.results = results;
    this.notes = notes;
  }

  /**
   * Runs all statements of a text, up to the first that fails.
   *
   * @return whether more may follow: no {@code .quit} was among them
   * @throws StatementException if a statement is wrong; where is among the notes
   * @throws IOException if a file cannot be read
   */
  boolean run(String text) throws IOException {
    for (Statement statement : Script.of(text).statements()) {
      if (statement.isCommand()) {
        if (!command(statement)) {
          return false;
        }
      } else {
        execute(statement);
      }
    }
    return true;
  }

  private void execute(Statement statement) throws IOException {
    long start = System.nanoTime();
    try {
      show(session.execute(statement));
    } catch (RuntimeException error) {
      ErrorPlace place = ErrorPlace.of(error).orElse(null);
      if (place == null) {
        throw error;
      }
      notes.println(place.picture(statement));
      notes.flush();
      throw new StatementException(place.sentence(statement), error);
    } finally {
      if (timer) {
        double seconds = Duration.ofNanos(System.nanoTime() - start).toMillis() / 1000.0;
        notes.println(String.format(Locale.ROOT, "%.3f s", seconds));
        notes.flush();
      }
    }
  }

  private void show(Outcome outcome) {
    if (outcome instanceof Outcome.Message message) {
      if (!message.text().isEmpty()) {
        results.accept(message.text() + "\n");
      }
    } else if (outcome instanceof Outcome.Rows rows) {
      results.accept(format.format(rows));
      if (rows.cut()) {
        notes.println("These are the first " + rows.rows().size() + "; --maxRows=0 shows all.");
        notes.flush();
      }
    }
  }

  private boolean command(Statement statement) throws IOException {
    List<String> words = List.of(statement.text().split("\\s+", 2));
    String argument = words.size() > 1 ? words.get(1).strip() : "";
    switch (words.get(0)) {
      case ".quit", ".exit" -> {
        return false;
      }
      case ".help" -> results.accept(HELP);
      case ".timer" -> timer = isOn(argument);
      case ".format" -> format = ResultFormat.of(argument);
      case ".read" -> {
        return read(Path.of(argument));
      }
      default ->
          throw new StatementException(
              "There is no command " + words.get(0) + ". .help says which there are.", null);
    }
    return true;
  }

  private static boolean isOn(String argument) {
    return switch (argument) {
      case "on" -> true;
      case "off" -> false;
      default -> throw new StatementException("Give .timer on or .timer off.", null);
    };
  }

  /**
   * Runs the statements of a file.
   *
   * @return whether more may follow
   */
  boolean read(Path file) throws IOException {
    if (depth == DEEPEST_READ) {
      throw new StatementException(file + " is read by itself, directly or by others.", null);
    }
    String text;
    try {
      text = Files.readString(file);
    } catch (NoSuchFileException missing) {
      throw new StatementException("There is no file " + file + ".", missing);
    }
    depth++;
    try {
      return run(text);
    } finally {
      depth--;
    }
  }
}
