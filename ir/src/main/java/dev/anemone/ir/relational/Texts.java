// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** How names and texts are written in plans and messages. */
final class Texts {

  /** Longest piece of a plan, in characters, that a message repeats. */
  private static final int LONGEST = 200;

  private static final Pattern PLAIN_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_$]*");

  private Texts() {}

  /** Whether there are no halves of surrogate pairs, which no encoding can carry. */
  static boolean isUnicode(String text) {
    return StandardCharsets.UTF_8.newEncoder().canEncode(text);
  }

  /** A name of a column: as it is when that is plain, else in double quotes. */
  static String name(String name) {
    return PLAIN_NAME.matcher(name).matches()
        ? name
        : "\"" + escaped(name).replace("\"", "\"\"") + "\"";
  }

  /** A text in single quotes, in one line. */
  static String quoted(String text) {
    return "'" + escaped(text).replace("'", "''") + "'";
  }

  /** A text that is too long for a message is cut. */
  static String shortened(String text) {
    String line = escaped(text);
    return line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "...";
  }

  private static String escaped(String text) {
    StringBuilder line = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isISOControl(c) || (Character.isSurrogate(c) && !isPaired(text, i))) {
        line.append(String.format("\\u%04x", (int) c));
      } else {
        line.append(c);
      }
    }
    return line.toString();
  }

  private static boolean isPaired(String text, int i) {
    return Character.isHighSurrogate(text.charAt(i))
        ? i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))
        : i > 0 && Character.isHighSurrogate(text.charAt(i - 1));
  }
}
