// SPDX-License-Identifier: Apache-2.0
package dev.anemone.shell;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A statement that may name files where SQL has tables, as in {@code FROM 'data/*.parquet'}. In its
 * {@code sql} they are names in back-ticks, which are as long, so that places in the text stay.
 *
 * @param files in the order of the text, some perhaps several times
 */
record FileReferences(String sql, List<String> files) {
  private static final Set<String> BEFORE_TABLES = Set.of("FROM", "JOIN", "DESCRIBE", "INTO");

  /** Functions whose arguments have FROM in between. */
  private static final Set<String> FUNCTIONS =
      Set.of("TRIM", "EXTRACT", "SUBSTRING", "OVERLAY", "POSITION");

  FileReferences {
    files = List.copyOf(files);
  }

  /** Finds the files of a statement. */
  static FileReferences of(String statement) {
    StringBuilder sql = new StringBuilder(statement);
    List<String> files = new ArrayList<>();
    Deque<Boolean> functions = new ArrayDeque<>();
    String before = "";
    int start = SqlLexer.skipBlanks(statement, 0);
    while (start < statement.length()) {
      int end = SqlLexer.tokenEnd(statement, start);
      String token = statement.substring(start, end);
      if (token.equals("(")) {
        functions.push(FUNCTIONS.contains(before));
      } else if (token.equals(")")) {
        functions.poll();
      } else if (isText(token)
          && BEFORE_TABLES.contains(before)
          && !Boolean.TRUE.equals(functions.peek())) {
        files.add(token.substring(1, token.length() - 1));
        sql.setCharAt(start, '`');
        sql.setCharAt(end - 1, '`');
      }
      before = token.toUpperCase(Locale.ROOT);
      start = SqlLexer.skipBlanks(statement, end);
    }
    return new FileReferences(sql.toString(), files);
  }

  private static boolean isText(String token) {
    return token.length() > 2 && token.startsWith("'") && token.endsWith("'");
  }
}
