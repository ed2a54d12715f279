// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.codegen;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A pattern of LIKE: {@code %} stands for any characters, {@code _} for one. A pattern without
 * {@code _} is matched by searching its parts from left to right, others by a regular expression.
 * Generated code uses it, which is why it is public. Immutable and thread-safe.
 */
public final class LikePattern {
  private final List<String> parts;
  private final Pattern regex;

  private LikePattern(List<String> parts, Pattern regex) {
    this.parts = parts;
    this.regex = regex;
  }

  /**
   * A pattern.
   *
   * @param escape the character before which a special one stands for itself; null for none
   */
  public static LikePattern of(String pattern, String escape) {
    List<String> parts = new ArrayList<>();
    StringBuilder part = new StringBuilder();
    StringBuilder regex = new StringBuilder();
    boolean single = false;
    for (int i = 0; i < pattern.length(); i++) {
      char character = pattern.charAt(i);
      if (escape != null && character == escape.charAt(0)) {
        i++;
        part.append(pattern.charAt(i));
      } else if (character == '%' || character == '_') {
        regex.append(Pattern.quote(part.toString())).append(character == '%' ? ".*" : ".");
        single |= character == '_';
        parts.add(part.toString());
        part.setLength(0);
      } else {
        part.append(character);
      }
    }
    parts.add(part.toString());
    regex.append(Pattern.quote(part.toString()));
    return new LikePattern(
        List.copyOf(parts), single ? Pattern.compile(regex.toString(), Pattern.DOTALL) : null);
  }

  /** Whether a pattern, and an escape character if there is a second element, make sense. */
  static boolean isValid(List<String> patternAndEscape) {
    if (patternAndEscape.size() == 1) {
      return true;
    }
    String pattern = patternAndEscape.get(0);
    String escape = patternAndEscape.get(1);
    if (escape.length() != 1) {
      return false;
    }
    for (int at = pattern.indexOf(escape); at >= 0; at = pattern.indexOf(escape, at + 2)) {
      boolean special =
          at + 1 < pattern.length() && ("%_" + escape).indexOf(pattern.charAt(at + 1)) >= 0;
      if (!special) {
        return false;
      }
    }
    return true;
  }

  /** Whether the whole of {@code text} has this pattern. */
  public boolean matches(String text) {
    if (regex != null) {
      return regex.matcher(text).matches();
    }
    String first = parts.get(0);
    int last = parts.size() - 1;
    if (last == 0) {
      return text.equals(first);
    }
    if (!text.startsWith(first)) {
      return false;
    }
    int from = first.length();
    for (int i = 1; i < last; i++) {
      String part = parts.get(i);
      int at = text.indexOf(part, from);
      if (at < 0) {
        return false;
      }
      from = at + part.length();
    }
    String end = parts.get(last);
    return text.length() - end.length() >= from && text.endsWith(end);
  }
}
