// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cli;

import dev.anemone.rdma.pool.AccessToken;
import dev.anemone.rdma.pool.ServerAddress;
import dev.anemone.rdma.pool.client.PoolClient;
import dev.anemone.rdma.pool.client.PoolClientOptions;
import dev.anemone.rdma.transport.Transport;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code anemone pool stop}: ends servers, with what they hold. */
@Command(
    name = "stop",
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    sortOptions = false,
    description = {"Ends one server of the pool, or all. What they hold is lost.", ""})
final class PoolStopCommand implements Callable<Integer> {

  @Option(
      names = "--servers",
      defaultValue = "127.0.0.1:7070",
      paramLabel = "HOST:PORT,...",
      description = "All servers of the pool (default: ${DEFAULT-VALUE}).")
  private String servers;

  @Option(
      names = "--only",
      paramLabel = "HOST:PORT",
      description = "The server to end (default: all that are there).")
  private String only;

  @Mixin private PoolAccess access;
  @Mixin private PoolOperator operator;

  @Override
  public Integer call() throws Exception {
    List<ServerAddress> all = ServerAddress.parseList(servers);
    if (only != null && !all.contains(ServerAddress.parse(only))) {
      throw new IllegalArgumentException("--only=" + only + " is none of --servers=" + servers);
    }
    AccessToken orders = operator.tokenOfOperator(access);
    try (Transport transport = access.open();
        PoolClient client =
            PoolClient.connect(
                transport, PoolClientOptions.of(all, access.token()).withBuffers(1))) {
      List<String> live =
          only == null
              ? client.status().stream().map(status -> status.server()).toList()
              : List.of(ServerAddress.parse(only).toString());
      for (String server : live) {
        client.stop(ServerAddress.parse(server), orders);
        System.out.println(server + " ends");
      }
    }
    return 0;
  }
}
