// SPDX-License-Identifier: Apache-2.0
package dev.anemone.shell;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jline.reader.Candidate;
import org.jline.reader.Completer;
import org.jline.reader.LineReader;
import org.jline.reader.ParsedLine;

/**
 * Completes what may stand at a place of a statement: key words, tables and their columns, files
 * where tables stand, options and their values, and commands.
 */
final class SqlCompleter implements Completer {
  private static final List<String> KEY_WORDS =
      List.of(
          "SELECT",
          "FROM",
          "WHERE",
          "GROUP BY",
          "ORDER BY",
          "HAVING",
          "LIMIT",
          "JOIN",
          "LEFT JOIN",
          "RIGHT JOIN",
          "FULL JOIN",
          "ON",
          "UNION ALL",
          "INTERSECT",
          "EXCEPT",
          "DISTINCT",
          "AND",
          "OR",
          "NOT",
          "NULL",
          "BETWEEN",
          "LIKE",
          "EXISTS",
          "CASE",
          "WHEN",
          "THEN",
          "ELSE",
          "END",
          "COUNT",
          "SUM",
          "AVG",
          "MIN",
          "MAX",
          "CREATE EXTERNAL TABLE",
          "TYPE",
          "LOCATION",
          "TBLPROPERTIES",
          "DROP TABLE",
          "INSERT INTO",
          "EXPLAIN",
          "DESCRIBE",
          "SHOW TABLES",
          "SET");
  private static final List<String> COMMANDS =
      List.of(".help", ".quit", ".read", ".timer", ".format");

  /** After these stands a table. */
  private static final Set<String> BEFORE_TABLES =
      Set.of("FROM", "JOIN", "INTO", "TABLE", "DESCRIBE", "DESC");

  private final KnownColumns columns;
  private final KnownOptions options = new KnownOptions();

  SqlCompleter(SqlSession session) {
    this.columns = new KnownColumns(session);
  }

  @Override
  public void complete(LineReader reader, ParsedLine line, List<Candidate> candidates) {
    // What has ended before is no part of the statement.
    String before = line.line().substring(0, line.cursor() - line.wordCursor());
    List<Statement> ended = Script.of(before).statements();
    String statement =
        before.stripTrailing().endsWith(";") || ended.isEmpty()
            ? ""
            : ended.get(ended.size() - 1).text();
    Word word = Word.of(line.word().substring(0, line.wordCursor()));
    if (statement.isEmpty()) {
      addAll(candidates, word, COMMANDS, "commands");
    }
    if (statement.startsWith(".")) {
      argument(candidates, word, statement);
    } else if (statement.toUpperCase(Locale.ROOT).startsWith("SET")) {
      options.complete(statement, word, candidates);
    } else if (BEFORE_TABLES.contains(last(statement))) {
      if (word.head().startsWith("'")) {
        FileNames.complete(word, candidates);
      } else {
        addAll(candidates, word, columns.tables(), "tables");
      }
    } else {
      expression(candidates, word, line.line());
    }
  }

  private void expression(List<Candidate> candidates, Word word, String text) {
    boolean small = word.tail().chars().anyMatch(Character::isLowerCase);
    if (word.qualifier().isEmpty()) {
      KEY_WORDS.forEach(
          key -> word.add(candidates, small ? key.toLowerCase(Locale.ROOT) : key, "key words"));
      addAll(candidates, word, columns.tables(), "tables");
    }
    addAll(candidates, word, columns.of(text, word.qualifier()), "columns");
  }

  private static void argument(List<Candidate> candidates, Word word, String command) {
    switch (command) {
      case ".timer" -> addAll(candidates, word, List.of("on", "off"), "values");
      case ".format" ->
          addAll(
              candidates,
              word,
              Arrays.stream(ResultFormat.values())
                  .map(format -> format.name().toLowerCase(Locale.ROOT))
                  .toList(),
              "values");
      default -> {
        // Others have none, or a file.
      }
    }
  }

  private static void addAll(
      List<Candidate> candidates, Word word, List<String> names, String group) {
    names.forEach(name -> word.add(candidates, name, group));
  }

  private static String last(String statement) {
    return statement.substring(statement.lastIndexOf(' ') + 1).toUpperCase(Locale.ROOT);
  }
}
