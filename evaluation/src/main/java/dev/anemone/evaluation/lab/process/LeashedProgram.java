// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.process;

import java.util.List;

/**
 * A program that does not look at its standard input, run so that it ends with whoever started it:
 * a shell holds the other end of a pipe and kills the program when that is closed, which the kernel
 * does for a process that is killed. The shell's session is its own, and it kills all of it, so
 * that it can be there before the program is.
 */
public final class LeashedProgram {
  private static final String SCRIPT =
      """
      exec 3<&0
      { read -r line <&3; kill -s KILL -- -$$; } 2>/dev/null & leash=$!
      "$@" </dev/null 3<&-
      code=$?
      kill $leash 2>/dev/null
      exit $code
      """;

  private LeashedProgram() {}

  /** Runs a program until it ends, with its exit code, or until a pipe, its input, is closed. */
  public static List<String> command(List<String> command) {
    return Arguments.of("setsid", "/bin/sh", "-c", SCRIPT, "sh", command);
  }
}
