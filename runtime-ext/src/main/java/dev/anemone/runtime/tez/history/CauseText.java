// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.history;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The line of Tez's diagnostics of an attempt that says why it ended. */
final class CauseText {

  private static final Pattern THROWN =
      Pattern.compile("Error: .*Error while running task \\( \\w+ \\) : ?(?:attempt_\\w+:)?(.*)");

  private CauseText() {}

  /**
   * What was thrown.
   *
   * @param diagnostics as in {@code Error: Node: host : Error while running task ( failure ) :
   *     java.lang.IllegalStateException: no} and a stack trace
   * @return empty where Tez had another reason
   */
  static Optional<String> thrown(String diagnostics) {
    Matcher matcher = THROWN.matcher(first(diagnostics));
    return matcher.matches() ? Optional.of(matcher.group(1).strip()) : Optional.empty();
  }

  /** The first line. */
  static String first(String diagnostics) {
    return diagnostics.lines().findFirst().orElse("");
  }
}
