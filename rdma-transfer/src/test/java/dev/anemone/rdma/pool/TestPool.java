// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.rdma.pool.client.PoolClient;
import dev.anemone.rdma.pool.client.PoolClientOptions;
import dev.anemone.rdma.pool.server.PoolServer;
import dev.anemone.rdma.tcp.TcpTransportProvider;
import dev.anemone.rdma.testing.LocalPool;
import dev.anemone.rdma.testing.LocalPoolOptions;
import dev.anemone.rdma.transport.Await;
import dev.anemone.rdma.transport.MemoryRegion;
import dev.anemone.rdma.transport.TestPeer;
import dev.anemone.rdma.transport.Transport;
import dev.anemone.rdma.transport.TransportProvider;
import java.io.IOException;
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
  static final AccessToken OPERATOR = AccessToken.of("a secret of its operator");
  static final Duration LEASE = Duration.ofSeconds(2);

  private static TransportProvider provider = new TcpTransportProvider();

  private final LocalPool pool;
  private final List<MemoryRegion> regions = new ArrayList<>();

  private TestPool(List<List<TierOptions>> tiers) throws IOException {
    this.pool =
        LocalPool.start(
            LocalPoolOptions.of(tiers)
                .withTransport(provider)
                .withPageBytes(PAGE)
                .withLease(LEASE)
                .withTokens(TOKEN, OPERATOR));
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

  /** Of the machine's address that {@link TestPeer#freePort} has. */
  static List<ServerAddress> freeAddresses(int count) throws IOException {
    String host = TestPeer.freePort().getAddress().getHostAddress();
    return LocalPool.freeAddresses(count).stream()
        .map(address -> new ServerAddress(host, address.port()))
        .toList();
  }

  List<ServerAddress> addresses() {
    return pool.addresses();
  }

  PoolServer server(int number) {
    return pool.server(number);
  }

  /** Starts a server that is not there, empty. */
  void start(int number) throws IOException {
    pool.start(number);
  }

  /** Ends a server, with all that it holds. */
  void stop(int number) {
    pool.stop(number);
  }

  PoolClientOptions options() {
    return pool.clientOptions();
  }

  PoolClient client() throws IOException {
    return pool.client();
  }

  PoolClient client(PoolClientOptions options) throws IOException {
    return pool.client(options);
  }

  /** Registered memory with the transport of the clients. */
  MemoryRegion region(int bytes) throws IOException {
    MemoryRegion region = clientTransport().register(ByteBuffer.allocateDirect(bytes));
    regions.add(region);
    return region;
  }

  Transport clientTransport() {
    return pool.clientTransport();
  }

  long usedBytes() {
    return pool.usedBytes();
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
    pool.closeClients();
    regions.forEach(MemoryRegion::close);
    awaitUsed(0);
    pool.close();
  }
}
