// SPDX-License-Identifier: Apache-2.0
package dev.anemone.shell;

/** Finds where the tokens of SQL end, as far as it matters for quotes and comments. */
final class SqlLexer {
  private static final String QUOTES = "'\"`";

  private SqlLexer() {}

  /**
   * The place behind the token that begins at a place: a quoted text, a comment, a word, or one
   * character. What is not closed goes to the end of the text.
   */
  static int tokenEnd(String text, int start) {
    char first = text.charAt(start);
    if (QUOTES.indexOf(first) >= 0) {
      return after(text, String.valueOf(first), start + 1);
    }
    if (text.startsWith("--", start)) {
      return after(text, "\n", start);
    }
    if (text.startsWith("/*", start)) {
      return after(text, "*/", start + 2);
    }
    int end = start + 1;
    if (Character.isJavaIdentifierStart(first)) {
      while (end < text.length() && Character.isJavaIdentifierPart(text.charAt(end))) {
        end++;
      }
    }
    return end;
  }

  /** The place of the next character that is neither white space nor in a comment. */
  static int skipBlanks(String text, int start) {
    int at = start;
    while (at < text.length() && isBlank(text, at)) {
      at = tokenEnd(text, at);
    }
    return Math.min(at, text.length());
  }

  /** Whether a comment of several lines, among blanks from a place on, is not closed. */
  static boolean isOpen(String text, int start) {
    int at = start;
    while (at < text.length()) {
      if (text.startsWith("/*", at) && text.indexOf("*/", at + 2) < 0) {
        return true;
      }
      at = tokenEnd(text, at);
    }
    return false;
  }

  private static boolean isBlank(String text, int at) {
    return Character.isWhitespace(text.charAt(at))
        || text.startsWith("--", at)
        || text.startsWith("/*", at);
  }

  private static int after(String text, String end, int from) {
    int found = text.indexOf(end, from);
    return found < 0 ? text.length() : found + end.length();
  }
}
