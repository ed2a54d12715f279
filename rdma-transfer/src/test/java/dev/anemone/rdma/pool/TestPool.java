// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.rdma.pool.client.PoolClient;
import dev.anemone.rdma.pool.client.PoolClientOptions;
import dev.anemone.rdma.pool.server.PoolServer;
import dev.anemone.rdma.pool.server.PoolServerOptions;
import dev.anemone.rdma.tcp.TcpTransportProvider;
import dev.anemone.rdma.transport.Await;
import dev.anemone.rdma.transport.MemoryRegion;
import dev.anemone.rdma.transport.Transport;
import dev.anemone.rdma.transport.TransportProvider;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Servers of a pool in this JVM, and clients, over tcp, or ucx ({@link OverUcx}). When it is
 * closed, clients first, no server must have a byte in use but for {@link Lifetime#POOL} objects,
 * of which the test leaves none.
 */
final class TestPool implements AutoCloseable {

  static final int PAGE = 8 << 10;
  static final AccessToken TOKEN = AccessToken.of("a secret of this test");
  static final Duration LEASE = Duration.ofSeconds(2);

  private static TransportProvider provider = new TcpTransportProvider();

  private final List<ServerAddress> addresses;
  private final List<List<TierOptions>> tiers;
  private final PoolServer[] servers;
  private final Transport[] transports;
  private final List<PoolClient> clients = new ArrayList<>();
  private final Transport clientTransport;
  private final List<MemoryRegion> regions = new ArrayList<>();

  private TestPool(List<List<TierOptions>> tiers) throws IOException {
    int servers = tiers.size();
    this.addresses = freeAddresses(servers);
    this.tiers = tiers;
    this.servers = new PoolServer[servers];
    this.transports = new Transport[servers];
    this.clientTransport = openTransport();
    for (int i = 0; i < servers; i++) {
      start(i);
    }
  }

  /** What pools that are started from now on are over. */
  static void use(TransportProvider other) {
    provider = other;
  }

  /** A transport of that kind. */
  static Transport openTransport() throws IOException {
    return provider.open();
  }

  /** A pool whose servers have this many pages of DRAM each. */
  static TestPool ofServers(int servers, int pages) throws IOException {
    return ofServers(servers, TierOptions.dram((long) pages * PAGE));
  }

  static TestPool ofServers(int servers, TierOptions... tiers) throws IOException {
    return new TestPool(Collections.nCopies(servers, List.of(tiers)));
  }

  /** A pool with a server for each of these lists of tiers. */
  static TestPool ofTiers(List<List<TierOptions>> tiers) throws IOException {
    return new TestPool(tiers);
  }

  static List<ServerAddress> freeAddresses(int count) throws IOException {
    List<ServerSocket> sockets = new ArrayList<>();
    List<ServerAddress> addresses = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
      sockets.add(socket);
      addresses.add(new ServerAddress("127.0.0.1", socket.getLocalPort()));
    }
    for (ServerSocket socket : sockets) {
      socket.close();
    }
    return ServerAddress.inOrder(addresses);
  }

  List<ServerAddress> addresses() {
    return addresses;
  }

  PoolServer server(int number) {
    return servers[number];
  }

  /** Starts a server that is not there, empty. */
  void start(int number) throws IOException {
    transports[number] = openTransport();
    servers[number] =
        PoolServer.start(
            transports[number],
            new PoolServerOptions(
                addresses.get(number),
                addresses,
                tiers.get(number),
                PAGE,
                LEASE,
                Duration.ofSeconds(10),
                TOKEN));
  }

  /** Ends a server, with all that it holds. */
  void stop(int number) {
    if (servers[number] != null) {
      servers[number].close();
      transports[number].close();
      servers[number] = null;
    }
  }

  PoolClientOptions options() {
    return PoolClientOptions.of(addresses, TOKEN);
  }

  PoolClient client() throws IOException {
    return client(options());
  }

  PoolClient client(PoolClientOptions options) throws IOException {
    PoolClient client = PoolClient.connect(clientTransport, options);
    clients.add(client);
    return client;
  }

  /** Registered memory with the transport of the clients. */
  MemoryRegion region(int bytes) throws IOException {
    MemoryRegion region = clientTransport.register(ByteBuffer.allocateDirect(bytes));
    regions.add(region);
    return region;
  }

  Transport clientTransport() {
    return clientTransport;
  }

  long usedBytes() {
    long used = 0;
    for (PoolServer server : servers) {
      used += server == null ? 0 : server.status().usedBytes();
    }
    return used;
  }

  void awaitUsed(long bytes) {
    Await.until("bytes in use are " + bytes, () -> usedBytes() == bytes);
  }

  static byte[] randomBytes(long seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  /** Writes an object whose bytes the seed makes. */
  static void write(PoolClient client, String path, Lifetime lifetime, byte[] bytes)
      throws IOException {
    try (var writer = client.create(PoolPath.of(path), lifetime)) {
      writer.write(ByteBuffer.wrap(bytes));
      writer.commit();
    }
  }

  /** All bytes of an object. */
  static byte[] read(PoolClient client, String path) throws IOException {
    var reader = client.open(PoolPath.of(path));
    ByteBuffer bytes = ByteBuffer.allocate((int) reader.length());
    if (bytes.hasRemaining()) {
      assertThat(reader.read(0, bytes)).isEqualTo((int) reader.length());
    }
    return bytes.array();
  }

  @Override
  public void close() {
    clients.forEach(PoolClient::close);
    regions.forEach(MemoryRegion::close);
    clientTransport.close();
    awaitUsed(0);
    for (int i = 0; i < servers.length; i++) {
      stop(i);
    }
  }
}
