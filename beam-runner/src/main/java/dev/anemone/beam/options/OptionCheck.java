// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.options;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Checks the values of options. A value that cannot be is refused with an {@link
 * InvalidPipelineException} that names the option, the value, and what would be right.
 */
public final class OptionCheck {

  private OptionCheck() {}

  /**
   * A number that must not be smaller than {@code min}.
   *
   * @param what what the option is the number of
   */
  public static int atLeast(int min, String option, int value, String what) {
    if (value < min) {
      throw new InvalidPipelineException(
          "--"
              + option
              + "="
              + value
              + " is the number of "
              + what
              + " and must be at least "
              + min
              + ".");
    }
    return value;
  }

  /** A path of this machine. */
  public static Path path(String option, String value) {
    try {
      return Path.of(value);
    } catch (InvalidPathException e) {
      throw new InvalidPipelineException(
          "--"
              + option
              + "="
              + value
              + " is not a path on this machine: "
              + e.getReason()
              + ". Name a local directory or file.",
          e);
    }
  }

  /** A local directory, which need not exist. */
  public static Path directory(String option, String value) {
    Path directory = path(option, value);
    if (Files.exists(directory) && !Files.isDirectory(directory)) {
      throw new InvalidPipelineException(
          "--"
              + option
              + "="
              + value
              + " is a file. Name a local directory; it is made when it does"
              + " not exist.");
    }
    return directory;
  }

  /**
   * Settings of the form {@code name=value}, in their order.
   *
   * @param entries null for none
   * @param example how it would be right
   */
  public static Map<String, String> settings(String option, List<String> entries, String example) {
    Map<String, String> values = new LinkedHashMap<>();
    for (String entry : entries == null ? List.<String>of() : entries) {
      int equals = entry.indexOf('=');
      if (equals < 1) {
        throw new InvalidPipelineException(
            "--"
                + option
                + " has the entry '"
                + entry
                + "', which is not of the form name=value. Write for example --"
                + option
                + "="
                + example
                + ".");
      }
      values.put(entry.substring(0, equals).strip(), entry.substring(equals + 1).strip());
    }
    return values;
  }
}
