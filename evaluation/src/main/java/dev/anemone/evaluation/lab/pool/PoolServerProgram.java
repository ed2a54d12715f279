// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.pool;

import dev.anemone.rdma.pool.AccessToken;
import dev.anemone.rdma.pool.ServerAddress;
import dev.anemone.rdma.pool.server.PoolServer;
import dev.anemone.rdma.pool.server.PoolServerOptions;
import dev.anemone.rdma.pool.server.TierOptions;
import dev.anemone.rdma.transport.Transport;
import dev.anemone.rdma.transport.Transports;
import java.time.Duration;
import java.util.List;

/** A server of a pool, in DRAM, that everybody may use. Says {@code ready} when others may come. */
public final class PoolServerProgram {
  /** What it says. */
  public static final String READY = "ready";

  private PoolServerProgram() {}

  /**
   * Arguments: name of the transport, own address, all addresses, bytes, bytes of a chunk, lease in
   * ms.
   */
  public static void main(String[] args) throws Exception {
    Duration lease = Duration.ofMillis(Long.parseLong(args[5]));
    PoolServerOptions options =
        new PoolServerOptions(
            ServerAddress.parse(args[1]),
            ServerAddress.parseList(args[2]),
            List.of(TierOptions.dram(Long.parseLong(args[3]))),
            Integer.parseInt(args[4]),
            lease,
            Duration.ofSeconds(10),
            AccessToken.open());
    try (Transport transport = Transports.found().open(args[0]);
        PoolServer server = PoolServer.start(transport, options)) {
      System.out.println(READY);
      server.awaitStop();
    }
  }
}
