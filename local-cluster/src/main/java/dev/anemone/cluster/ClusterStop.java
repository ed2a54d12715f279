// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cluster;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** Ends a cluster that was written down, in whatever state it is. */
final class ClusterStop {
  private static final Duration DEADLINE = Duration.ofSeconds(60);
  private static final Duration KILL_DEADLINE = Duration.ofSeconds(10);

  private ClusterStop() {}

  /** Ends the process with the daemons, kills what is left, and forgets the cluster. */
  static void stop(ClusterHome home, ClusterRecord cluster) throws IOException {
    Optional<ProcessHandle> process = cluster.process();
    if (process.isPresent()) {
      end(process.get());
    }
    cleanUp(home, cluster);
  }

  /** Kills what an ended cluster has left, and forgets it. */
  static void cleanUp(ClusterHome home, ClusterRecord cluster) throws IOException {
    new Leftovers(cluster.directory()).kill();
    Directories.delete(cluster.directory());
    home.clear();
  }

  private static void end(ProcessHandle process) {
    process.destroy();
    if (!ends(process, DEADLINE)) {
      process.destroyForcibly();
      if (!ends(process, KILL_DEADLINE)) {
        throw new IllegalStateException(
            "process " + process.pid() + " with the daemons does not end, though it was killed");
      }
    }
  }

  private static boolean ends(ProcessHandle process, Duration limit) {
    try {
      Waiting.until(() -> !Liveness.runs(process), limit, () -> "it lives");
      return true;
    } catch (IllegalStateException late) {
      return false;
    }
  }
}
