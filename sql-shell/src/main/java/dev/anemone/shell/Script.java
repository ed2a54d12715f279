// SPDX-License-Identifier: Apache-2.0
package dev.anemone.shell;

import java.util.ArrayList;
import java.util.List;

/**
 * A text of statements that end with semicolons, and of commands of the shell, each a line that
 * begins with a dot.
 *
 * @param statements those that have ended, and at the end of the text one that has not
 * @param complete whether the last one has ended
 */
record Script(List<Statement> statements, boolean complete) {

  Script {
    statements = List.copyOf(statements);
  }

  /** Divides a text. Semicolons within quotes and comments end nothing. */
  static Script of(String text) {
    List<Statement> statements = new ArrayList<>();
    int at = 0;
    while (true) {
      int start = SqlLexer.skipBlanks(text, at);
      if (start >= text.length()) {
        return new Script(statements, !SqlLexer.isOpen(text, at));
      }
      boolean command = text.charAt(start) == '.';
      int end = command ? lineEnd(text, start) : statementEnd(text, start);
      String found = text.substring(start, end).strip();
      if (!found.isEmpty()) {
        statements.add(at(text, start, found));
      }
      if (end >= text.length()) {
        return new Script(statements, command);
      }
      at = end + 1;
    }
  }

  private static int lineEnd(String text, int start) {
    int end = text.indexOf('\n', start);
    return end < 0 ? text.length() : end;
  }

  private static int statementEnd(String text, int start) {
    int at = start;
    while (at < text.length() && text.charAt(at) != ';') {
      at = SqlLexer.tokenEnd(text, at);
    }
    return at;
  }

  private static Statement at(String text, int start, String found) {
    int line = 1 + (int) text.substring(0, start).chars().filter(c -> c == '\n').count();
    return new Statement(found, line, start - text.lastIndexOf('\n', start - 1));
  }
}
