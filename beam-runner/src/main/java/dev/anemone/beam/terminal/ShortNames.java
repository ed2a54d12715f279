// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.terminal;

import java.util.List;
import java.util.regex.Pattern;

/** Names of jobs and steps, as short as a line needs them. */
public final class ShortNames {

  /** What Beam puts behind a job's name: user, month to second, and a random number. */
  private static final Pattern BEAMS_SUFFIX = Pattern.compile("-[^-]*-\\d{10}-[0-9a-f]+$");

  /** Characters that are left of a name where there is hardly room. */
  public static final int FEWEST = 8;

  private static final String ELLIPSIS = "..";

  /** How Beam calls what its transforms consist of. */
  private static final Pattern INNER =
      Pattern.compile(
          "ParMultiDo\\(.*\\)|ParDo\\(.*\\)|Map|Read|Impulse|GroupByKey|Window\\.Assign");

  private ShortNames() {}

  /** A job without what Beam puts behind its name. */
  public static String ofJob(String name) {
    return BEAMS_SUFFIX.matcher(name).replaceFirst("");
  }

  /** A stage by what it does first and last. */
  public static String ofStage(List<String> operators) {
    if (operators.isEmpty()) {
      return "";
    }
    String first = ofStep(operators.get(0));
    String last = ofStep(operators.get(operators.size() - 1));
    return first.equals(last) ? first : first + " -> " + last;
  }

  /** A step by what its author calls it: without the names that Beam gives to parts of its own. */
  public static String ofStep(String name) {
    int end = name.length();
    for (int slash = name.lastIndexOf('/'); slash > 0; slash = name.lastIndexOf('/', end - 1)) {
      if (!INNER.matcher(name.substring(slash + 1, end)).matches()) {
        break;
      }
      end = slash;
    }
    return name.substring(0, end);
  }

  /** A text of at most so many characters, with its middle left out. */
  public static String cut(String text, int most) {
    if (text.length() <= most) {
      return text;
    }
    int behind = (most - ELLIPSIS.length()) / 2;
    return text.substring(0, most - ELLIPSIS.length() - behind)
        + ELLIPSIS
        + text.substring(text.length() - behind);
  }
}
