// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.server;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** The connections to a server, and the clients behind them. Thread-safe. */
final class AcceptedConnections {

  private final Set<AcceptedConnection> all = new HashSet<>();
  private final Map<UUID, Integer> clients = new HashMap<>();

  /** A connection was accepted. */
  synchronized void add(AcceptedConnection connection) {
    all.add(connection);
  }

  /** A client was let in, on one more connection. */
  synchronized void admitted(UUID client) {
    clients.merge(client, 1, Integer::sum);
  }

  /** A connection has ended. */
  synchronized void remove(AcceptedConnection connection) {
    all.remove(connection);
  }

  /**
   * A connection of a client that was let in has ended.
   *
   * @return whether it was the client's last
   */
  synchronized boolean left(UUID client) {
    return clients.computeIfPresent(client, (id, count) -> count == 1 ? null : count - 1) == null;
  }

  /** Whether a client is connected. */
  synchronized boolean isLive(UUID client) {
    return clients.containsKey(client);
  }

  /** Clients that are connected. */
  synchronized int clients() {
    return clients.size();
  }

  /** All connections. */
  synchronized List<AcceptedConnection> all() {
    return List.copyOf(all);
  }
}
