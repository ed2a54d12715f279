// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cluster;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code anemone cluster stop}. */
@Command(
    name = "stop",
    mixinStandardHelpOptions = true,
    description = {"Ends the cluster with all its containers, and deletes its files.", ""})
final class StopCommand implements Callable<Integer> {

  @Override
  public Integer call() throws IOException {
    ClusterHome home = ClusterHome.ofUser(System.getenv());
    Optional<ClusterRecord> cluster = home.read();
    if (cluster.isEmpty()) {
      System.err.println("anemone: there is no cluster.");
      return 0;
    }
    ClusterStop.stop(home, cluster.get());
    System.err.println("anemone: the cluster is stopped, and its files are deleted.");
    return 0;
  }
}
