package dev.anemone.evaluation.process;

import java.util.ArrayList;
import java.util.List;

/**
 * A program that does not look at its standard input, run so that it ends with whoever started it:
 * a shell holds the other end of a pipe and kills the program when that is closed, which the kernel
 * does for a process that is killed.
 */
public final class LeashedProgram {
  private static final String SCRIPT =
      """
      exec 3<&0
      "$@" </dev/null 3<&- & program=$!
      { read -r line <&3; kill -9 $program; } 2>/dev/null & leash=$!
      wait $program
      code=$?
      kill $leash 2>/dev/null
      exit $code
      """;

  private LeashedProgram() {}

  /**
   * The command that runs a program until it ends, whose exit code is the program's, or until its
   * standard input, a pipe, is closed.
   *
   * @param command the program and its arguments
   */
  public static List<String> command(List<String> command) {
    List<String> leashed = new ArrayList<>(List.of("/bin/sh", "-c", SCRIPT, "sh"));
    leashed.addAll(command);
    return leashed;
  }
}
