// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.client;

import java.io.PrintStream;
import java.util.regex.Pattern;

/**
 * Keeps Tez's own lines out of the standard streams. On a cluster they go to a container's log, but
 * in this JVM they would be mixed with what the user's program prints; Tez has no setting for them.
 * Everything else passes through untouched.
 */
final class TezOutputFilter extends PrintStream {

  private static final Pattern TEZ_LINE =
      Pattern.compile(
          "\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d "
              + "(Starting to run new task attempt|Completed running task attempt"
              + "|Running Dag|Completed Dag): .*");

  private TezOutputFilter(PrintStream out) {
    super(out, true);
  }

  /** Puts filters on standard output and standard error, unless they are there. */
  static synchronized void install() {
    if (!(System.out instanceof TezOutputFilter)) {
      System.setOut(new TezOutputFilter(System.out));
    }
    if (!(System.err instanceof TezOutputFilter)) {
      System.setErr(new TezOutputFilter(System.err));
    }
  }

  @Override
  public void println(String line) {
    if (line == null || !TEZ_LINE.matcher(line).matches()) {
      super.println(line);
    }
  }
}
