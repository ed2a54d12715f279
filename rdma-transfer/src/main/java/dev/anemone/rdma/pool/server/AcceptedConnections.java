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

  private final int limit;
  private final Set<AcceptedConnection> all = new HashSet<>();
  private final Map<UUID, Integer> clients = new HashMap<>();

  /** At most {@code limit} at a time. */
  AcceptedConnections(int limit) {
    this.limit = limit;
  }

  /**
   * A connection was accepted.
   *
   * @return false when there are as many as there may be, so that it must end
   */
  synchronized boolean add(AcceptedConnection connection) {
    return all.size() < limit && all.add(connection);
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

  /** Whether the client of a connection that has ended has come back on another one. */
  synchronized boolean isBack(AcceptedConnection ended) {
    return all.stream().anyMatch(other -> other != ended && other.isOfSameClient(ended));
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
