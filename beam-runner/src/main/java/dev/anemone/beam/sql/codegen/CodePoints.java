// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.codegen;

/**
 * Functions of texts that count code points, as the engine of columns does, where Calcite's count
 * units of UTF-16 and may part a character in two. Positions count from 1. Generated code uses it,
 * which is why it is public.
 */
public final class CodePoints {

  private CodePoints() {}

  /** How many code points a text has. */
  public static int length(String text) {
    return text.codePointCount(0, text.length());
  }

  /** Where a text begins in another; 0 where it does not. */
  public static int position(String sought, String text) {
    int unit = text.indexOf(sought);
    return unit < 0 ? 0 : text.codePointCount(0, unit) + 1;
  }

  /** The same, looked for from a position on. */
  public static int position(String sought, String text, long from) {
    int unit = from < 1 || from > length(text) ? -1 : text.indexOf(sought, before(text, from));
    return unit < 0 ? 0 : text.codePointCount(0, unit) + 1;
  }

  /** The text from a position on, all of it from one before its begin. */
  public static String substring(String text, long from) {
    return substring(text, Math.max(from, 1), Integer.MAX_VALUE);
  }

  /**
   * The part of a text from a position, which may be before its begin, of so many code points.
   *
   * @throws IllegalArgumentException the number is negative
   */
  public static String substring(String text, long from, long count) {
    if (count < 0) {
      throw new IllegalArgumentException(
          "SUBSTRING of " + count + " characters: the number must not be negative");
    }
    return text.substring(before(text, from), before(text, end(from, count)));
  }

  /** A text in which another stands from a position on, in place of as many code points. */
  public static String overlay(String text, String other, long from) {
    return overlay(text, other, from, length(other));
  }

  /** The same in place of another number of code points. */
  public static String overlay(String text, String other, long from, long count) {
    return text.substring(0, before(text, from))
        + other
        + text.substring(before(text, end(from, Math.max(count, 0))));
  }

  /** A text without what it begins or ends with of some characters. */
  public static String trim(boolean begin, boolean end, String characters, String text) {
    int from = 0;
    int to = text.length();
    while (begin && from < to && characters.indexOf(text.codePointAt(from)) >= 0) {
      from += Character.charCount(text.codePointAt(from));
    }
    while (end && from < to && characters.indexOf(text.codePointBefore(to)) >= 0) {
      to -= Character.charCount(text.codePointBefore(to));
    }
    return text.substring(from, to);
  }

  /** The position behind so many code points, which no text has more of than an int says. */
  private static long end(long from, long count) {
    return Math.min(from, Integer.MAX_VALUE) + Math.min(count, Integer.MAX_VALUE);
  }

  /** How many units of UTF-16 are before a position, which need not be in the text. */
  private static int before(String text, long position) {
    if (position > text.length()) {
      return text.length();
    }
    int unit = 0;
    for (long point = 1; point < position && unit < text.length(); point++) {
      unit += Character.charCount(text.codePointAt(unit));
    }
    return unit;
  }
}
