// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.explain;

import java.util.List;
import java.util.regex.Pattern;

/** Sentences in lines of a screen's width. */
final class WrappedText {

  private static final Pattern SPACE = Pattern.compile(" ");

  private WrappedText() {}

  /**
   * Adds a text.
   *
   * @param first what stands before its first line
   * @param following what stands before the others
   * @param columns no line is longer, but for words that are
   * @param lines get the text
   */
  static void add(String first, String following, String text, int columns, List<String> lines) {
    StringBuilder line = new StringBuilder(first);
    boolean isBegin = true;
    for (String word : SPACE.splitAsStream(text).toList()) {
      if (!isBegin && line.length() + 1 + word.length() >= columns) {
        lines.add(line.toString());
        line = new StringBuilder(following);
        isBegin = true;
      }
      line.append(isBegin ? "" : " ").append(word);
      isBegin = false;
    }
    lines.add(line.toString());
  }
}
