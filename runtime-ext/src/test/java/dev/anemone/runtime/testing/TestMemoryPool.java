// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.testing;

import dev.anemone.rdma.pool.AccessToken;
import dev.anemone.rdma.pool.ServerAddress;
import dev.anemone.rdma.pool.TierOptions;
import dev.anemone.rdma.pool.client.PoolClient;
import dev.anemone.rdma.pool.client.PoolClientOptions;
import dev.anemone.rdma.pool.server.PoolServer;
import dev.anemone.rdma.pool.server.PoolServerOptions;
import dev.anemone.rdma.transport.Transport;
import dev.anemone.rdma.transport.Transports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;

/** Pool servers in this JVM, over tcp. */
public final class TestMemoryPool implements AutoCloseable {

  public static final int PAGE_BYTES = 64 << 10;

  /** What clients must know. */
  public static final String SECRET = "of a test";

  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final AccessToken TOKEN = AccessToken.of(SECRET);

  private final List<ServerAddress> addresses;
  private final Transport[] transports;
  private final PoolServer[] servers;
  private final Transport clients;
  private final int pages;

  /** Starts servers with memory for so many pages each. */
  public static TestMemoryPool ofServers(int servers, int pages) {
    try {
      return new TestMemoryPool(servers, pages);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private TestMemoryPool(int servers, int pages) throws IOException {
    this.addresses = freeAddresses(servers);
    this.transports = new Transport[servers];
    this.servers = new PoolServer[servers];
    this.clients = Transports.found().open("tcp");
    this.pages = pages;
    for (int i = 0; i < servers; i++) {
      start(i);
    }
  }

  /** Starts a server that is not there, empty. */
  public synchronized void start(int number) throws IOException {
    transports[number] = Transports.found().open("tcp");
    servers[number] =
        PoolServer.start(
            transports[number],
            new PoolServerOptions(
                addresses.get(number),
                addresses,
                List.of(TierOptions.dram((long) pages * PAGE_BYTES)),
                PAGE_BYTES,
                Duration.ofSeconds(5),
                Duration.ofSeconds(10),
                TOKEN));
  }

  private static List<ServerAddress> freeAddresses(int count) throws IOException {
    List<ServerSocket> sockets = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
    }
    List<ServerAddress> addresses = new ArrayList<>();
    for (ServerSocket socket : sockets) {
      addresses.add(new ServerAddress("127.0.0.1", socket.getLocalPort()));
      socket.close();
    }
    return ServerAddress.inOrder(addresses);
  }

  public List<ServerAddress> addresses() {
    return addresses;
  }

  /** A client, which is closed before the pool. */
  public PoolClient client() {
    try {
      return PoolClient.connect(clients, PoolClientOptions.of(addresses, TOKEN));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Bytes of the pages that are taken on all servers. */
  public long usedBytes() {
    return Arrays.stream(servers)
        .filter(Objects::nonNull)
        .mapToLong(server -> server.status().usedBytes())
        .sum();
  }

  /**
   * Waits until so many bytes are taken.
   *
   * @throws AssertionError when that takes too long
   */
  public void awaitUsedBytes(long bytes) {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (usedBytes() != bytes) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError(usedBytes() + " bytes are taken, not " + bytes);
      }
      LockSupport.parkNanos(1_000_000);
    }
  }

  /** Ends a server, with all that it holds. */
  public synchronized void stop(int number) {
    if (servers[number] != null) {
      servers[number].close();
      transports[number].close();
      servers[number] = null;
    }
  }

  @Override
  public void close() {
    clients.close();
    for (int i = 0; i < servers.length; i++) {
      stop(i);
    }
  }
}
