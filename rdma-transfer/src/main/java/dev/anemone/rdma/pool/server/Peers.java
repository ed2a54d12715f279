// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.server;

import dev.anemone.rdma.pool.ServerAddress;
import dev.anemone.rdma.pool.ServerUnavailableException;
import dev.anemone.rdma.pool.protocol.Caller;
import dev.anemone.rdma.transport.Transport;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The other servers of the pool, and which of them live. A server whose connection has ended counts
 * as dead until it joins again, with another incarnation: the servers are taken to stop when they
 * fail (fail-stop), and the network between them not to part while they live. Thread-safe.
 */
final class Peers implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Peers.class);

  private final Transport transport;
  private final PoolServerOptions options;
  private final Caller.Identity identity;
  private final Runnable onChange;
  private final AtomicReferenceArray<PeerConnection> connections;
  private final List<Object> connecting;

  /**
   * Nobody is connected yet.
   *
   * @param onChange called when a server came or went; must not wait
   */
  Peers(Transport transport, PoolServerOptions options, long incarnation, Runnable onChange) {
    this.transport = transport;
    this.options = options;
    this.identity =
        new Caller.Identity(
            poolName(options.servers()), UUID.randomUUID(), options.number(), incarnation);
    this.onChange = onChange;
    this.connections = new AtomicReferenceArray<>(options.servers().size());
    this.connecting = options.servers().stream().map(server -> new Object()).toList();
  }

  /** What a pool is called among its servers and clients: all its servers. */
  static String poolName(List<ServerAddress> servers) {
    return servers.toString();
  }

  /**
   * The way to a server that lives, which is one from now on; connects when there is none. Two ways
   * to one server there are never: its end would be taken for that of the server.
   */
  PeerConnection connect(int server) throws IOException {
    synchronized (connecting.get(server)) {
      Optional<PeerConnection> there = find(server);
      return there.isPresent() ? there.get() : connectAnew(server);
    }
  }

  /** As {@link #connect(int)}, for a server of which only this incarnation lives. */
  PeerConnection connect(int server, long incarnation) throws IOException {
    synchronized (connecting.get(server)) {
      Optional<PeerConnection> there =
          find(server)
              .filter(connection -> connection.caller().welcome().incarnation() == incarnation);
      return there.isPresent() ? there.get() : connectAnew(server);
    }
  }

  private PeerConnection connectAnew(int server) throws IOException {
    PeerConnection connection =
        new PeerConnection(
            Caller.connect(
                transport,
                options.servers().get(server),
                options.token(),
                identity,
                options.deadline(),
                () -> closed(server)));
    PeerConnection before = connections.getAndSet(server, connection);
    if (before != null) {
      before.caller().close();
    }
    if (!connection.caller().isOpen()) {
      connections.compareAndSet(server, connection, null);
    }
    LOG.info("pool server {} is there", connection.caller().server());
    onChange.run();
    return connection;
  }

  /** An incarnation of a server has ended its connection to this one. */
  void lost(int server, long incarnation) {
    PeerConnection connection = connections.get(server);
    if (connection != null && connection.caller().welcome().incarnation() == incarnation) {
      connection.caller().close();
      closed(server);
    }
    onChange.run();
  }

  private void closed(int server) {
    PeerConnection connection = connections.get(server);
    if (connection != null
        && !connection.caller().isOpen()
        && connections.compareAndSet(server, connection, null)) {
      LOG.warn("pool server {} is gone", connection.caller().server());
    }
    onChange.run();
  }

  /** Whether the pool has a server of that number beside this one. */
  boolean isOther(int server) {
    return server >= 0 && server < connections.length() && server != options.number();
  }

  /** Whether a server lives. */
  boolean isUp(int server) {
    return find(server).isPresent();
  }

  /** The way to a server; empty when it does not live, or is none (-1). */
  Optional<PeerConnection> find(int server) {
    return server < 0
        ? Optional.empty()
        : Optional.ofNullable(connections.get(server))
            .filter(connection -> connection.caller().isOpen());
  }

  /**
   * The way to a server that lives.
   *
   * @throws ServerUnavailableException when it does not
   */
  PeerConnection connection(int server) throws ServerUnavailableException {
    return find(server)
        .orElseThrow(
            () ->
                new ServerUnavailableException(
                    "Pool server " + options.servers().get(server) + " is down.", null));
  }

  /** Asks each server for a sign of life; one that gives none until the deadline is dead. */
  void ping() {
    for (int server = 0; server < connections.length(); server++) {
      find(server).ifPresent(connection -> connection.ping(options.deadline()));
    }
  }

  @Override
  public void close() {
    for (int server = 0; server < connections.length(); server++) {
      PeerConnection connection = connections.getAndSet(server, null);
      if (connection != null) {
        connection.caller().close();
      }
    }
  }
}
