// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.protocol;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A process, as another one on the same machine can tell whether it still runs.
 *
 * @param boot the machine's, since it was started; empty where the system is not Linux
 * @param namespace in which the number means this process
 * @param number the system's
 * @param start when it began, in the system's ticks: numbers are used again
 */
public record ProcessIdentity(String boot, String namespace, long number, long start) {

  /** Of a process of which nothing is known. */
  static final ProcessIdentity UNKNOWN = new ProcessIdentity("", "", 0, 0);

  private static final Path PROCESSES = Path.of("/proc");
  private static final ProcessIdentity CURRENT = find();

  // Fields of /proc/PID/stat, counted from the state, which follows the name in parentheses.
  private static final int STATE = 0;
  private static final int THREADS = 17;
  private static final int START = 19;

  /** This process. */
  public static ProcessIdentity current() {
    return CURRENT;
  }

  private static ProcessIdentity find() {
    try {
      return new ProcessIdentity(
          Files.readString(PROCESSES.resolve("sys/kernel/random/boot_id")).strip(),
          Files.readSymbolicLink(PROCESSES.resolve("self/ns/pid")).toString(),
          ProcessHandle.current().pid(),
          Long.parseLong(stat(ProcessHandle.current().pid()).get(START)));
    } catch (IOException | UnsupportedOperationException | IndexOutOfBoundsException e) {
      return UNKNOWN;
    }
  }

  /**
   * Whether it cannot touch this machine's memory any longer: it has ended, or was never here.
   * False where that cannot be known, as of one in another container.
   */
  public boolean isGone() {
    if (equals(UNKNOWN) || CURRENT.equals(UNKNOWN)) {
      return false;
    }
    if (!boot.equals(CURRENT.boot)) {
      return true;
    }
    return namespace.equals(CURRENT.namespace) && hasEnded();
  }

  private boolean hasEnded() {
    try {
      List<String> stat = stat(number);
      boolean remains =
          (stat.get(STATE).equals("Z") || stat.get(STATE).equals("X"))
              && Integer.parseInt(stat.get(THREADS)) <= 1;
      return remains || Long.parseLong(stat.get(START)) != start;
    } catch (IOException e) {
      return !Files.exists(PROCESSES.resolve(Long.toString(number)));
    }
  }

  private static List<String> stat(long number) throws IOException {
    String stat = Files.readString(PROCESSES.resolve(Path.of(Long.toString(number), "stat")));
    return List.of(stat.substring(stat.lastIndexOf(')') + 2).strip().split(" ", -1));
  }
}
