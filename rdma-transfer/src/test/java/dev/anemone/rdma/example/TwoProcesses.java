// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.example;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.anemone.rdma.pool.AccessToken;
import dev.anemone.rdma.pool.Lifetime;
import dev.anemone.rdma.pool.PoolPath;
import dev.anemone.rdma.pool.ServerAddress;
import dev.anemone.rdma.pool.TierOptions;
import dev.anemone.rdma.pool.client.ObjectSettings;
import dev.anemone.rdma.pool.client.PoolClient;
import dev.anemone.rdma.pool.client.PoolClientOptions;
import dev.anemone.rdma.pool.server.Admission;
import dev.anemone.rdma.pool.server.PoolServer;
import dev.anemone.rdma.pool.server.PoolServerOptions;
import dev.anemone.rdma.transport.Transport;
import dev.anemone.rdma.transport.Transports;
import java.time.Duration;
import java.util.List;

/**
 * One process lends memory: {@code lend HOST:PORT SECRET}; another one uses it: {@code use ...}.
 */
public final class TwoProcesses {

  private TwoProcesses() {}

  public static void main(String[] args) throws Exception {
    ServerAddress address = ServerAddress.parse(args[1]);
    AccessToken secret = AccessToken.of(args[2]);
    try (Transport transport = Transports.found().open("tcp")) {
      if (args[0].equals("lend")) {
        lend(transport, address, secret);
      } else {
        use(transport, address, secret);
      }
    }
  }

  private static void lend(Transport transport, ServerAddress self, AccessToken secret)
      throws Exception {
    Duration lease = Duration.ofSeconds(10);
    List<TierOptions> tiers = List.of(TierOptions.dram(64 << 20));
    PoolServerOptions options =
        new PoolServerOptions(self, List.of(self), tiers, 1 << 20, lease, lease, secret)
            .withAdmission(Admission.usual().withOperator(secret));
    try (PoolServer server = PoolServer.start(transport, options)) {
      System.out.println("lends " + server.status().capacityBytes() + " bytes");
      server.awaitStop();
    }
  }

  private static void use(Transport transport, ServerAddress server, AccessToken secret)
      throws Exception {
    PoolClientOptions options = PoolClientOptions.of(List.of(server), secret);
    try (PoolClient client = PoolClient.connect(transport, options)) {
      PoolPath path = PoolPath.of("/greeting");
      client.put(path, UTF_8.encode("hello"), ObjectSettings.of(Lifetime.LEASE));
      System.out.println(UTF_8.decode(client.get(path)));
      client.stop(server, secret);
    }
  }
}
