// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.testing;

import dev.anemone.rdma.pool.ServerAddress;
import dev.anemone.rdma.pool.client.PoolClient;
import dev.anemone.rdma.pool.client.PoolClientOptions;
import dev.anemone.rdma.pool.server.Admission;
import dev.anemone.rdma.pool.server.PoolServer;
import dev.anemone.rdma.pool.server.PoolServerOptions;
import dev.anemone.rdma.transport.Transport;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A pool for tests: its servers are in this JVM, on free ports of the loopback, and can be ended
 * and started again. Servers and clients have transports of their own, so that they reach each
 * other over sockets, as processes do. It owns the servers and the clients that it has made.
 * Thread-safe.
 */
public final class LocalPool implements AutoCloseable {

  private static final String LOOPBACK = "127.0.0.1";
  private static final int LEAST_PORT = 10_000;

  /** Where Linux begins to take ports for connections. */
  private static final int PORTS_END = 32_768;

  private static final int MOST_PORTS_TRIED = 1_000;
  private static final Duration DEADLINE = Duration.ofSeconds(10);

  private final LocalPoolOptions options;
  private final List<ServerAddress> addresses;
  private final PoolServer[] servers;
  private final Transport[] transports;
  private final Transport clientTransport;
  private final List<PoolClient> clients = new ArrayList<>();

  private LocalPool(LocalPoolOptions options) throws IOException {
    this.options = options;
    this.addresses = freeAddresses(options.tiers().size());
    this.servers = new PoolServer[addresses.size()];
    this.transports = new Transport[addresses.size()];
    this.clientTransport = options.transport().open();
  }

  /**
   * Starts all servers.
   *
   * @throws IOException when the transport does not work here, or one of them does not start
   */
  public static LocalPool start(LocalPoolOptions options) throws IOException {
    LocalPool pool = new LocalPool(options);
    try {
      for (int server = 0; server < pool.servers.length; server++) {
        pool.start(server);
      }
      return pool;
    } catch (IOException | RuntimeException e) {
      try (pool) {
        throw e;
      }
    }
  }

  /**
   * So many addresses on which nobody listens now, in the order of a pool's servers. Their ports
   * are below those that systems give to connections by themselves, so that none gets one while its
   * server is not there.
   *
   * @throws IOException when no free port was found
   */
  public static List<ServerAddress> freeAddresses(int count) throws IOException {
    Set<ServerAddress> addresses = new HashSet<>();
    for (int left = MOST_PORTS_TRIED; addresses.size() < count; left--) {
      if (left == 0) {
        throw new IOException(
            "of " + MOST_PORTS_TRIED + " ports not " + count + " were free on " + LOOPBACK);
      }
      int port = ThreadLocalRandom.current().nextInt(LEAST_PORT, PORTS_END);
      if (isFree(port)) {
        addresses.add(new ServerAddress(LOOPBACK, port));
      }
    }
    return ServerAddress.inOrder(List.copyOf(addresses));
  }

  private static boolean isFree(int port) throws IOException {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (BindException e) {
      return false;
    }
  }

  /** Where the servers are, or would be. */
  public List<ServerAddress> addresses() {
    return addresses;
  }

  /** A server, by its number in the order of the addresses; null when it is not there. */
  public synchronized PoolServer server(int number) {
    return servers[number];
  }

  /**
   * Starts a server that is not there, empty.
   *
   * @throws IllegalStateException when it is there
   */
  public synchronized void start(int number) throws IOException {
    if (servers[number] != null) {
      throw new IllegalStateException("server " + number + " is there");
    }
    Transport transport = options.transport().open();
    try {
      servers[number] = PoolServer.start(transport, serverOptions(number));
      transports[number] = transport;
    } catch (IOException | RuntimeException e) {
      try (transport) {
        throw e;
      }
    }
  }

  private PoolServerOptions serverOptions(int number) {
    return new PoolServerOptions(
            addresses.get(number),
            addresses,
            options.tiers().get(number),
            options.pageBytes(),
            options.lease(),
            DEADLINE,
            options.token())
        .withAdmission(Admission.usual().withOperator(options.operator()));
  }

  /** Ends a server, with all that it holds; does nothing when it is not there. */
  public synchronized void stop(int number) {
    if (servers[number] != null) {
      servers[number].close();
      transports[number].close();
      servers[number] = null;
    }
  }

  /** What a client is told. */
  public PoolClientOptions clientOptions() {
    return PoolClientOptions.of(addresses, options.token());
  }

  /** A client, which may be closed before the pool, and is with it. */
  public PoolClient client() throws IOException {
    return client(clientOptions());
  }

  /** The same with options of its own. */
  public PoolClient client(PoolClientOptions own) throws IOException {
    PoolClient client = PoolClient.connect(clientTransport, own);
    synchronized (this) {
      clients.add(client);
    }
    return client;
  }

  /** The transport of the clients; closed with the pool. */
  public Transport clientTransport() {
    return clientTransport;
  }

  /** Bytes of the pages that are taken on the servers that are there. */
  public synchronized long usedBytes() {
    return Arrays.stream(servers)
        .filter(Objects::nonNull)
        .mapToLong(server -> server.status().usedBytes())
        .sum();
  }

  /** Closes the clients; servers stay, so that a test can look at what they have left. */
  public synchronized void closeClients() {
    clients.forEach(PoolClient::close);
    clients.clear();
  }

  /**
   * Ends clients and servers. Memory that was registered with the clients' transport must not be.
   */
  @Override
  public synchronized void close() {
    closeClients();
    clientTransport.close();
    for (int server = 0; server < servers.length; server++) {
      stop(server);
    }
  }
}
