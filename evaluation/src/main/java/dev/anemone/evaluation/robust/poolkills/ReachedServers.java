// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.robust.poolkills;

import dev.anemone.rdma.pool.AccessToken;
import dev.anemone.rdma.pool.ServerAddress;
import dev.anemone.rdma.pool.protocol.Caller;
import dev.anemone.rdma.pool.protocol.Reply;
import dev.anemone.rdma.pool.protocol.Request;
import dev.anemone.rdma.transport.Transport;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/**
 * Which of the others each server of a pool reaches, as it says itself. Thread-safe.
 *
 * @param transport reaches the servers; not owned
 * @param servers all of the pool
 * @param deadline for the answer of each
 */
record ReachedServers(Transport transport, List<ServerAddress> servers, Duration deadline) {

  /** Whether all servers answer, and each reaches all others. */
  boolean areAll() {
    for (ServerAddress server : servers) {
      Caller.Identity stranger =
          new Caller.Identity(servers.toString(), UUID.randomUUID(), Caller.Identity.CLIENT, 0);
      try (Caller caller =
          Caller.connect(transport, server, AccessToken.open(), stranger, deadline, () -> {})) {
        Reply.Peers told = caller.call(new Request.Peers(), Reply.Peers.class);
        if (told.reached().size() < servers.size() - 1) {
          return false;
        }
      } catch (IOException e) {
        return false; // it has ended, or is about to
      }
    }
    return true;
  }
}
