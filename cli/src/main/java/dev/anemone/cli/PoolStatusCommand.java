// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cli;

import dev.anemone.rdma.pool.ServerAddress;
import dev.anemone.rdma.pool.ServerStatus;
import dev.anemone.rdma.pool.client.PoolClient;
import dev.anemone.rdma.pool.client.PoolClientOptions;
import dev.anemone.rdma.transport.Transport;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code anemone pool status}: how full the servers are, what they have counted, and which are not
 * there.
 */
@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    sortOptions = false,
    description = {
      "Prints how full each server of the pool is and what it has counted since its start, or that"
          + " it is down. Clients read one-sidedly, so no server knows how many bytes they read.",
      ""
    })
final class PoolStatusCommand implements Callable<Integer> {

  @Option(
      names = "--servers",
      defaultValue = "127.0.0.1:7070",
      paramLabel = "HOST:PORT,...",
      description = "All servers of the pool (default: ${DEFAULT-VALUE}).")
  private String servers;

  @Option(
      names = "--watch",
      arity = "0..1",
      fallbackValue = "2",
      paramLabel = "SECONDS",
      description =
          "Prints it again and again, so often (2 when it is not said), until interrupted.")
  private Integer watchSeconds;

  @Mixin private PoolAccess access;

  @Spec private CommandSpec command;

  @Override
  public Integer call() throws Exception {
    if (watchSeconds != null && watchSeconds < 1) {
      throw new IllegalArgumentException(
          "--watch=" + watchSeconds + " is no time. Give at least 1 second.");
    }
    List<ServerAddress> all = ServerAddress.parseList(servers);
    try (Transport transport = access.open();
        PoolClient client =
            PoolClient.connect(
                transport, PoolClientOptions.of(all, access.token()).withBuffers(1))) {
      int code = print(client, all);
      while (watchSeconds != null && !Thread.currentThread().isInterrupted()) {
        LockSupport.parkNanos(this, TimeUnit.SECONDS.toNanos(watchSeconds));
        out().println();
        code = print(client, all);
      }
      return code;
    }
  }

  private int print(PoolClient client, List<ServerAddress> all) {
    List<ServerStatus> live = client.status();
    for (ServerAddress server : all) {
      live.stream()
          .filter(status -> status.server().equals(server.toString()))
          .findFirst()
          .ifPresentOrElse(this::print, () -> out().println(server + " is down"));
    }
    out().flush();
    return live.size() == all.size() ? 0 : 1;
  }

  private PrintWriter out() {
    return command.commandLine().getOut();
  }

  private void print(ServerStatus status) {
    for (ServerStatus.Tier tier : status.tiers()) {
      out()
          .printf(
              Locale.ROOT,
              "%s %s: %,d of %,d bytes used%n",
              status.server(),
              tier.kind(),
              tier.usedBytes(),
              tier.capacityBytes());
      if (tier.servedBytes() > 0) {
        out()
            .printf(
                Locale.ROOT,
                "%s %s: %,d bytes are read and written by messages, which the server copies%n",
                status.server(),
                tier.kind(),
                tier.servedBytes());
      }
    }
    if (status.state() == ServerStatus.State.DRAINING) {
      out().println(status.server() + " is being drained: it takes no more objects");
    }
    if (status.withheldBytes() > 0) {
      out()
          .printf(
              Locale.ROOT,
              "%s keeps %,d bytes back from clients that were taken for dead and may still write%n",
              status.server(),
              status.withheldBytes());
    }
    out()
        .printf(
            Locale.ROOT,
            "%s has %s and %s%n",
            status.server(),
            counted(status.entries(), "name"),
            // This command is one of them.
            counted(status.clients() - 1, "client"));
    print(status.server(), status.counters());
  }

  private void print(String server, ServerStatus.Counters counters) {
    out()
        .printf(
            Locale.ROOT,
            "%s since its start: %s of %s committed, %s answered, %,d bytes of pages freed,"
                + " %s refused%n",
            server,
            counted(counters.commits().objects(), "object"),
            counted(counters.commits().bytes(), "byte"),
            counted(counters.lookups().answered(), "lookup"),
            counters.pages().freedBytes(),
            counted(counters.pages().refused(), "page"));
  }

  private static String counted(long number, String what) {
    return String.format(Locale.ROOT, "%,d %s%s", number, what, number == 1 ? "" : "s");
  }
}
