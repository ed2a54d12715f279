// SPDX-License-Identifier: Apache-2.0
package dev.anemone.yarn;

import dev.anemone.rdma.pool.AccessToken;
import dev.anemone.rdma.pool.PoolEntry;
import dev.anemone.rdma.pool.PoolPath;
import dev.anemone.rdma.pool.ServerAddress;
import dev.anemone.rdma.pool.TierOptions;
import dev.anemone.rdma.pool.client.PoolClient;
import dev.anemone.rdma.pool.client.PoolClientOptions;
import dev.anemone.rdma.pool.server.PoolServer;
import dev.anemone.rdma.pool.server.PoolServerOptions;
import dev.anemone.rdma.transport.Transport;
import dev.anemone.rdma.transport.Transports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** A pool of two servers in this JVM, over tcp, that asks for a secret. */
final class PoolServers implements AutoCloseable {
  private static final String SECRET = "of this test";
  private static final int PAGE_BYTES = 16 << 10;
  private static final long PAGES = 1_000;
  private static final int SERVERS = 2;

  /** Where jobs have their directories. */
  private static final PoolPath JOBS = PoolPath.of("/anemone");

  private final Path token;
  private final List<ServerAddress> addresses;
  private final Transport[] transports = new Transport[SERVERS];
  private final PoolServer[] servers = new PoolServer[SERVERS];

  /**
   * Starts the servers.
   *
   * @param directory for the file with the secret
   */
  PoolServers(Path directory) throws IOException {
    token = Files.writeString(directory.resolve("token"), SECRET + "\n");
    addresses = freeAddresses();
    for (int i = 0; i < SERVERS; i++) {
      start(i);
    }
  }

  private static List<ServerAddress> freeAddresses() throws IOException {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    try (ServerSocket one = new ServerSocket(0, 1, loopback);
        ServerSocket two = new ServerSocket(0, 1, loopback)) {
      return ServerAddress.inOrder(
          List.of(
              new ServerAddress("127.0.0.1", one.getLocalPort()),
              new ServerAddress("127.0.0.1", two.getLocalPort())));
    }
  }

  /** Starts a server that is not there, empty. */
  void start(int number) throws IOException {
    transports[number] = Transports.found().open("tcp");
    servers[number] =
        PoolServer.start(
            transports[number],
            new PoolServerOptions(
                addresses.get(number),
                addresses,
                List.of(TierOptions.dram(PAGES * PAGE_BYTES)),
                PAGE_BYTES,
                Duration.ofSeconds(10),
                Duration.ofSeconds(10),
                AccessToken.of(SECRET)));
  }

  /** Ends a server, with all that it holds. */
  void stop(int number) {
    if (servers[number] != null) {
      servers[number].close();
      transports[number].close();
      servers[number] = null;
    }
  }

  /** The options with which a job uses the pool. */
  List<String> arguments() {
    return List.of(
        "--memoryPool=" + addresses.get(0) + "," + addresses.get(1),
        "--memoryPoolTransport=tcp",
        "--memoryPoolTokenFile=" + token);
  }

  /** Bytes of the pages that are taken on a server that is there. */
  long usedBytes(int number) {
    return servers[number].status().usedBytes();
  }

  /** Bytes of the pages that are taken on all servers that are there. */
  long usedBytes() {
    return Arrays.stream(servers)
        .filter(Objects::nonNull)
        .mapToLong(server -> server.status().usedBytes())
        .sum();
  }

  /** The directories of jobs. */
  List<String> directories() throws IOException {
    try (Transport transport = Transports.found().open("tcp");
        PoolClient client =
            PoolClient.connect(
                transport, PoolClientOptions.of(addresses, AccessToken.of(SECRET)))) {
      return client.list(JOBS).stream().map(PoolEntry::path).map(PoolPath::name).toList();
    } catch (NoSuchFileException e) {
      return List.of();
    }
  }

  @Override
  public void close() {
    for (int i = 0; i < SERVERS; i++) {
      stop(i);
    }
  }
}
