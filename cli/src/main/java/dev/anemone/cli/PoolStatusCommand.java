// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cli;

import dev.anemone.rdma.pool.ServerAddress;
import dev.anemone.rdma.pool.ServerStatus;
import dev.anemone.rdma.pool.client.PoolClient;
import dev.anemone.rdma.pool.client.PoolClientOptions;
import dev.anemone.rdma.transport.Transport;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code anemone pool status}: how full the servers are, and which are not there. */
@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    sortOptions = false,
    description = {"Prints how full each server of the pool is, or that it is down.", ""})
final class PoolStatusCommand implements Callable<Integer> {

  @Option(
      names = "--servers",
      defaultValue = "127.0.0.1:7070",
      paramLabel = "HOST:PORT,...",
      description = "All servers of the pool (default: ${DEFAULT-VALUE}).")
  private String servers;

  @Mixin private PoolAccess access;

  @Override
  public Integer call() throws Exception {
    List<ServerAddress> all = ServerAddress.parseList(servers);
    try (Transport transport = access.open();
        PoolClient client =
            PoolClient.connect(
                transport, PoolClientOptions.of(all, access.token()).withBuffers(1))) {
      List<ServerStatus> live = client.status();
      for (ServerAddress server : all) {
        live.stream()
            .filter(status -> status.server().equals(server.toString()))
            .findFirst()
            .ifPresentOrElse(
                PoolStatusCommand::print, () -> System.out.println(server + " is down"));
      }
      return live.size() == all.size() ? 0 : 1;
    }
  }

  private static void print(ServerStatus status) {
    for (ServerStatus.Tier tier : status.tiers()) {
      System.out.printf(
          Locale.ROOT,
          "%s %s: %,d of %,d bytes used%n",
          status.server(),
          tier.kind(),
          tier.usedBytes(),
          tier.capacityBytes());
    }
    System.out.printf(
        Locale.ROOT,
        "%s has %,d names and %,d clients%n",
        status.server(),
        status.entries(),
        // This command is one of them.
        status.clients() - 1);
  }
}
