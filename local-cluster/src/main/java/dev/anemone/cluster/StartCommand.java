// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code anemone cluster start}. */
@Command(
    name = "start",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Starts a cluster in the background and waits until it serves.",
      "Prints the line by which a shell finds it.",
      ""
    })
final class StartCommand implements Callable<Integer> {
  private static final int TAIL_LINES = 30;

  @Option(
      names = "--nodes",
      defaultValue = "3",
      paramLabel = "N",
      description = "Number of nodes (default: ${DEFAULT-VALUE}).")
  private int nodes;

  @Option(
      names = "--memoryMb",
      defaultValue = "" + LocalCluster.Settings.DEFAULT_MEMORY_MB,
      paramLabel = "MB",
      description = "Memory for containers on each node (default: ${DEFAULT-VALUE}).")
  private int memoryMb;

  @Option(
      names = "--cores",
      defaultValue = "" + LocalCluster.Settings.DEFAULT_CORES,
      paramLabel = "N",
      description = "Virtual cores for containers on each node (default: ${DEFAULT-VALUE}).")
  private int cores;

  @Option(
      names = "--directory",
      paramLabel = "DIR",
      description = {
        "Where the cluster has its files, empty or new. It is deleted when the cluster stops",
        "(default: a directory beside the log)."
      })
  private Path directory;

  @Option(
      names = "--hadoop",
      paramLabel = "KEY=VALUE",
      description = "A setting of Hadoop, such as dfs.blocksize=1m. May be given several times.")
  private Map<String, String> hadoop = Map.of();

  @Option(
      names = "--timeoutSeconds",
      defaultValue = "180",
      paramLabel = "N",
      description = "How long to wait for it (default: ${DEFAULT-VALUE}).")
  private int timeoutSeconds;

  @Override
  public Integer call() throws IOException {
    if (nodes < 1) {
      throw new IllegalArgumentException(
          "--nodes must be 1 to " + LoopbackHosts.MOST + " nodes, not " + nodes);
    }
    ClusterHome home = ClusterHome.ofUser(System.getenv());
    LocalCluster.Settings settings =
        new LocalCluster.Settings(
            nodes, directory == null ? home.data() : directory, memoryMb, cores, hadoop);
    Optional<ClusterRecord> earlier = home.read();
    if (earlier.flatMap(ClusterRecord::process).isPresent()) {
      throw new IllegalStateException(
          "there is a cluster already; 'anemone cluster status' describes it, and 'anemone cluster"
              + " stop' ends it.");
    }
    if (earlier.isPresent()) {
      ClusterStop.cleanUp(home, earlier.get());
    }
    Directories.claim(settings.directory());
    Process daemon = DaemonProcess.start(home, settings);
    ClusterRecord cluster = awaitServing(home, settings, daemon);
    StatusCommand.print(cluster);
    return 0;
  }

  private ClusterRecord awaitServing(
      ClusterHome home, LocalCluster.Settings settings, Process daemon) throws IOException {
    try {
      Waiting.until(
          () -> !daemon.isAlive() || serving(home, daemon).isPresent(),
          Duration.ofSeconds(timeoutSeconds),
          () -> "the cluster does not serve");
      return serving(home, daemon)
          .orElseThrow(() -> new IllegalStateException("the cluster does not start"));
    } catch (IllegalStateException e) {
      String tail = tail(home.output()) + tail(home.log());
      daemon.destroyForcibly().onExit().join();
      new Leftovers(settings.directory()).kill();
      Directories.delete(settings.directory());
      if (home.read().filter(record -> record.pid() == daemon.pid()).isPresent()) {
        home.clear();
      }
      throw new IllegalStateException(e.getMessage() + ":\n" + tail, e);
    }
  }

  private static Optional<ClusterRecord> serving(ClusterHome home, Process daemon) {
    try {
      return home.read()
          .filter(record -> record.pid() == daemon.pid())
          .filter(record -> record.access().isPresent());
    } catch (IOException e) {
      throw new IllegalStateException("cannot read what was written down of the cluster", e);
    }
  }

  private static String tail(Path file) throws IOException {
    if (!Files.exists(file)) {
      return "";
    }
    List<String> lines = Files.readAllLines(file);
    return String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()))
        + "\n";
  }
}
