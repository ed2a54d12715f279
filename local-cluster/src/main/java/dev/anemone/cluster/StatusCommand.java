// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cluster;

import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code anemone cluster status}. */
@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    description = {
      "Describes the cluster, and prints the line by which a shell finds it.",
      "The exit code is 1 when there is none that serves.",
      ""
    })
final class StatusCommand implements Callable<Integer> {
  private static final int NOT_SERVING = 1;

  @Override
  public Integer call() throws IOException {
    ClusterHome home = ClusterHome.ofUser(System.getenv());
    Optional<ClusterRecord> cluster = home.read();
    if (cluster.isEmpty()) {
      System.err.println("anemone: there is no cluster. 'anemone cluster start' starts one.");
      return NOT_SERVING;
    }
    if (cluster.get().process().isEmpty()) {
      System.err.println(
          "anemone: the cluster has died: there is no process "
              + cluster.get().pid()
              + " any more. Its log is "
              + home.log()
              + "; 'anemone cluster stop' cleans up.");
      return NOT_SERVING;
    }
    if (cluster.get().access().isEmpty()) {
      System.err.println("anemone: the cluster is starting.");
      return NOT_SERVING;
    }
    print(cluster.get());
    return 0;
  }

  /** Describes a cluster that serves, on both streams. */
  static void print(ClusterRecord cluster) throws IOException {
    ClusterRecord.Access access = cluster.access().orElseThrow();
    ClusterMetrics metrics = ClusterMetrics.ask(access.applications());
    System.err.printf(
        Locale.ROOT,
        "Nodes         %d of %d serve, each with %d MB and %d cores%n"
            + "In use        %d MB by %d applications%n"
            + "Applications  %s%n"
            + "Files         %s%n"
            + "Data          %s%n"
            + "Process       %d%n",
        metrics.nodes(),
        cluster.nodes(),
        cluster.memoryMb(),
        cluster.cores(),
        metrics.usedMb(),
        metrics.applications(),
        access.applications(),
        access.files(),
        cluster.directory(),
        cluster.pid());
    System.out.println("export HADOOP_CONF_DIR=" + access.configuration());
  }
}
