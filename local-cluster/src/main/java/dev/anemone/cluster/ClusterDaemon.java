// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cluster;

import java.io.IOException;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/** The process with the daemons of {@code anemone cluster start}. It serves until it is ended. */
final class ClusterDaemon {
  private static final int FIXED_ARGUMENTS = 5;
  private static final int FAILURE = 1;

  private ClusterDaemon() {}

  /** The arguments for {@link #main}. */
  static List<String> arguments(ClusterHome home, LocalCluster.Settings settings) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                home.directory().toString(),
                settings.directory().toString(),
                Integer.toString(settings.nodes()),
                Integer.toString(settings.memoryMb()),
                Integer.toString(settings.cores())));
    settings
        .hadoop()
        .forEach(
            (key, value) -> {
              arguments.add(key);
              arguments.add(value);
            });
    return List.copyOf(arguments);
  }

  /** Starts the cluster of {@link #arguments}, and writes it down when it serves. */
  public static void main(String[] arguments) throws InterruptedException {
    ClusterHome home = new ClusterHome(Path.of(arguments[0]));
    try {
      Optional<FileLock> lock = home.lock();
      if (lock.isEmpty()) {
        throw new IllegalStateException("another cluster uses " + home.directory());
      }
      LocalCluster.Settings settings = settings(arguments);
      ClusterRecord starting = ClusterRecord.starting(settings);
      home.write(starting);
      home.write(starting.serving(LocalCluster.start(settings)));
    } catch (IOException | RuntimeException | Error e) {
      e.printStackTrace();
      // Threads of daemons that did not start may be left.
      System.exit(FAILURE);
    }
    new CountDownLatch(1).await();
  }

  private static LocalCluster.Settings settings(String[] arguments) {
    Map<String, String> hadoop = new LinkedHashMap<>();
    for (int index = FIXED_ARGUMENTS; index < arguments.length; index += 2) {
      hadoop.put(arguments[index], arguments[index + 1]);
    }
    return new LocalCluster.Settings(
        Integer.parseInt(arguments[2]),
        Path.of(arguments[1]),
        Integer.parseInt(arguments[3]),
        Integer.parseInt(arguments[4]),
        hadoop);
  }
}
