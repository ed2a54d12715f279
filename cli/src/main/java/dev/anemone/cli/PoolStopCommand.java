// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cli;

import dev.anemone.rdma.pool.AccessToken;
import dev.anemone.rdma.pool.ServerAddress;
import dev.anemone.rdma.pool.ServerStatus;
import dev.anemone.rdma.pool.client.PoolClient;
import dev.anemone.rdma.pool.client.PoolClientOptions;
import dev.anemone.rdma.transport.Transport;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code anemone pool stop}: ends servers, with what they hold. */
@Command(
    name = "stop",
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    sortOptions = false,
    description = {
      "Ends one server of the pool, or all. What they hold is lost, unless they are --drain-ed.",
      ""
    })
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

  @Option(
      names = "--drain",
      description =
          "The server takes no more objects, and ends when those that it has are gone: "
              + "deleted, or with the jobs that own them. Until then they are read as before. "
              + "Does not wait for that.")
  private boolean drain;

  @Mixin private PoolAccess access;
  @Mixin private PoolOperator operator;

  @Spec private CommandSpec command;

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
      PrintWriter out = command.commandLine().getOut();
      for (String server : live) {
        if (drain) {
          client.drain(ServerAddress.parse(server), orders);
          out.println(drained(client, server));
        } else {
          client.stop(ServerAddress.parse(server), orders);
          out.println(server + " ends");
        }
      }
      out.flush();
    }
    return 0;
  }

  private static String drained(PoolClient client, String server) {
    long used =
        client.status().stream()
            .filter(status -> status.server().equals(server))
            .mapToLong(ServerStatus::usedBytes)
            .sum();
    return String.format(
        Locale.ROOT, "%s ends when the %,d bytes that are used there are free", server, used);
  }
}
