// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.policy;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;

/** Finds what somebody may have meant who mistyped a name. */
final class NearestName {

  private NearestName() {}

  /** {@code " Did you mean X?"}, or nothing when no name is near enough. */
  static String hint(String given, Collection<String> known) {
    return known.stream()
        .filter(name -> distance(given, name) <= Math.max(2, name.length() / 3))
        .min(
            Comparator.comparing((String name) -> distance(given, name))
                .thenComparing(Comparator.naturalOrder()))
        .map(name -> " Did you mean " + name + "?")
        .orElse("");
  }

  /** Levenshtein distance without regard to case. */
  static int distance(String one, String other) {
    String a = one.toLowerCase(Locale.ROOT);
    String b = other.toLowerCase(Locale.ROOT);
    int[] previous = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int[] current = new int[b.length() + 1];
      current[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int substitution = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        current[j] = Math.min(substitution, Math.min(previous[j], current[j - 1]) + 1);
      }
      previous = current;
    }
    return previous[b.length()];
  }
}
