// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cli;

import java.util.ArrayList;
import java.util.List;

/** The arguments of a Beam program, completed. */
public final class BeamArguments {
  private static final String RUNNER = "--runner=";
  private static final String NEMO_RUNNER = RUNNER + "NemoRunner";
  private static final String CLASS_PATH = "--classpath=";

  private BeamArguments() {}

  /**
   * The arguments without what the launcher has dealt with already, and with {@code
   * --runner=NemoRunner} where no runner is named.
   */
  public static String[] withRunner(List<String> arguments) {
    List<String> complete = withoutClassPath(arguments);
    if (!has(arguments, RUNNER)) {
      complete.add(NEMO_RUNNER);
    }
    return complete.toArray(new String[0]);
  }

  /**
   * The arguments for the main method of a user's program: without what the launcher has dealt with
   * already, and with {@link LaunchedRunner} where NemoRunner or no runner is named.
   */
  static String[] forProgram(List<String> arguments) {
    List<String> complete = withoutClassPath(arguments);
    complete.removeIf(NEMO_RUNNER::equals);
    if (!has(complete, RUNNER)) {
      complete.add(RUNNER + LaunchedRunner.class.getName());
    }
    return complete.toArray(new String[0]);
  }

  private static List<String> withoutClassPath(List<String> arguments) {
    List<String> others = new ArrayList<>(arguments);
    others.removeIf(argument -> argument.startsWith(CLASS_PATH));
    return others;
  }

  /** Whether an option is given; the name includes the dashes and the equals sign. */
  public static boolean has(List<String> arguments, String option) {
    return arguments.stream().anyMatch(argument -> argument.startsWith(option));
  }
}
