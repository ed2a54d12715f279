// SPDX-License-Identifier: Apache-2.0
package dev.anemone.shell;

import java.util.List;
import org.jline.reader.Candidate;

/**
 * What stands between the last blank and the cursor.
 *
 * @param head all before the name that is completed, such as {@code SUM(o.}
 * @param tail the beginning of that name
 */
record Word(String head, String tail) {

  static Word of(String text) {
    int start = text.length();
    while (start > 0 && Character.isJavaIdentifierPart(text.charAt(start - 1))) {
      start--;
    }
    // Commands begin with a dot.
    int from = start == 1 && text.startsWith(".") ? 0 : start;
    return new Word(text.substring(0, from), text.substring(from));
  }

  /** The name before the point, as in {@code o.amount}; empty if there is none. */
  String qualifier() {
    if (!head.endsWith(".")) {
      return "";
    }
    String before = head.substring(0, head.length() - 1);
    return of(before).tail();
  }

  /** Adds a name that may stand there. */
  void add(List<Candidate> candidates, String name, String group) {
    add(candidates, name, group, true);
  }

  /**
   * The same.
   *
   * @param ends whether a blank follows
   */
  void add(List<Candidate> candidates, String name, String group, boolean ends) {
    candidates.add(new Candidate(head + name, name, group, null, null, null, ends));
  }
}
