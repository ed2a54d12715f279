// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational;

import java.util.Optional;

/** Which patterns of a like have a meaning. */
final class LikePatterns {

  private LikePatterns() {}

  static void check(String pattern, Optional<Character> escape) {
    if (!Texts.isUnicode(pattern)) {
      throw new InvalidPlanException(
          "the like pattern " + Texts.quoted(pattern) + " is not Unicode text");
    }
    if (escape.isEmpty()) {
      return;
    }
    char mark = escape.get();
    if (mark <= ' ' || mark >= 0x7f || Character.isLetterOrDigit(mark) || isWildcard(mark)) {
      throw new InvalidPlanException(
          "the like escape is "
              + Texts.quoted(String.valueOf(mark))
              + "; a printable character of ASCII is needed, no letter, digit, % or _");
    }
    for (int i = 0; i < pattern.length(); i++) {
      if (pattern.charAt(i) == mark) {
        i++;
        if (i == pattern.length()
            || (!isWildcard(pattern.charAt(i)) && pattern.charAt(i) != mark)) {
          throw new InvalidPlanException(
              "in the like pattern "
                  + Texts.quoted(pattern)
                  + " the escape "
                  + Texts.quoted(String.valueOf(mark))
                  + " stands before neither %, _ nor itself");
        }
      }
    }
  }

  private static boolean isWildcard(char c) {
    return c == '%' || c == '_';
  }
}
