// SPDX-License-Identifier: Apache-2.0
package dev.anemone.shell;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A statement of a script, or a command of the shell, which begins with a dot.
 *
 * @param text without the semicolon behind it, and without what is before its first word
 * @param line of its first character in the script, from 1 on
 * @param column of its first character, from 1 on
 */
record Statement(String text, int line, int column) {
  private static final Pattern WORD = Pattern.compile("[A-Za-z]+");

  /** Whether it is a command of the shell, such as {@code .timer on}. */
  boolean isCommand() {
    return text.startsWith(".");
  }

  /** Its first word in capitals; empty if it does not begin with letters. */
  String verb() {
    Matcher word = WORD.matcher(text);
    return word.lookingAt() ? word.group().toUpperCase(Locale.ROOT) : "";
  }

  /** The same statement with the first word replaced by spaces, so that places in it stay. */
  String withoutVerb() {
    int length = verb().length();
    return " ".repeat(length) + text.substring(length);
  }
}
