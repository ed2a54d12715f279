// SPDX-License-Identifier: Apache-2.0
package dev.anemone.testing;

import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/**
 * What some tests need and some machines do not have. Where it is missing those tests are skipped
 * and say why, but fail if the build requires it: {@code -Danemone.require=ucx,root}.
 */
public enum Requirement {
  /** UCX's libraries, which may use shared memory. */
  UCX,
  /** What only root may do: mount a file system, throttle a network or a disk. */
  ROOT,
  /** The files in which Linux shows processes, memory and devices. */
  LINUX,
  /** The jar with Tez's own shuffle handler, which is in no repository of artifacts. */
  TEZ_SHUFFLE,
  /** The browser Chromium and its driver, as Debian has them. */
  CHROMIUM,
  /** Python 3 with virtual environments, and Beam's SDK for it, or where to get it. */
  PYTHON,
  /** Go, in a build that has the time for it: {@code -Ppython}. */
  GO,
  /** The library libfaketime, by which a process has another clock than the machine. */
  FAKETIME,
  /** Spark as an experiment has downloaded it, in {@code evaluation/target/peers/pyspark}. */
  SPARK;

  /** The system property with the names of what is required, in any case, between commas. */
  static final String PROPERTY = "anemone.require";

  /**
   * Goes on where it is there, and skips or fails the test where it is not.
   *
   * @param there whether this machine has it
   * @param otherwise why the test cannot run if not
   * @throws IllegalArgumentException when the build requires something that has no such name
   */
  public void check(boolean there, String otherwise) {
    if (!there) {
      throw missing(otherwise);
    }
  }

  /**
   * Skips the test, or fails it if the build requires what is missing. Never returns: callers
   * {@code throw} what it gives, so that the compiler knows.
   *
   * @param why the test cannot run
   * @throws IllegalArgumentException when the build requires something that has no such name
   */
  public RuntimeException missing(String why) {
    String skipped = name().toLowerCase(Locale.ROOT) + " is missing: " + why;
    return required(System.getProperty(PROPERTY, "")).contains(this)
        ? Assertions.fail(skipped + " (required by -D" + PROPERTY + ")")
        : Assumptions.abort(skipped);
  }

  private static Set<Requirement> required(String names) {
    return Arrays.stream(names.split(",", -1))
        .map(String::strip)
        .filter(name -> !name.isEmpty())
        .map(Requirement::named)
        .collect(Collectors.toSet());
  }

  private static Requirement named(String name) {
    return Arrays.stream(values())
        .filter(requirement -> requirement.name().equalsIgnoreCase(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "-D" + PROPERTY + ": " + name + " is none of " + Arrays.toString(values())));
  }
}
