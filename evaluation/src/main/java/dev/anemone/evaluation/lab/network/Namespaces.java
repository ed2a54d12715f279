// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.network;

import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.lab.process.SystemCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The namespaces of Linux in which this program has a network and mounts of its own, so that no
 * other program of the machine suffers from its faults, and nothing stays mounted behind it.
 */
public final class Namespaces {
  private static final Duration LIMIT = Duration.ofSeconds(10);

  /** A line for each interface of this program's network, behind two of a heading. */
  private static final Path INTERFACES = Path.of("/proc/self/net/dev");

  private static final int HEADING = 2;

  private Namespaces() {}

  /**
   * Makes the network usable; fails unless it is a new one, which has nothing but loopback.
   *
   * @param command the experiment that wants it
   */
  public static void require(String command) throws IOException, InterruptedException {
    if (!hasOwnNetwork()) {
      throw new ExperimentFailure(
          "Dropped packets and broken disks would be those of all programs of this machine. Run"
              + " this as root in namespaces of its own, on Linux:"
              + " unshare --net --mount evaluation/run %s ...",
          command);
    }
    SystemCommand.run(Path.of("."), LIMIT, List.of("ip", "link", "set", "lo", "up"));
  }

  private static boolean hasOwnNetwork() throws IOException {
    return Files.exists(INTERFACES)
        && Files.readAllLines(INTERFACES).stream()
            .skip(HEADING)
            .allMatch(line -> line.strip().startsWith("lo:"));
  }
}
