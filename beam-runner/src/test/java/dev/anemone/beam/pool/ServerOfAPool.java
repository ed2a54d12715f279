// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.pool;

import dev.anemone.rdma.pool.AccessToken;
import dev.anemone.rdma.pool.ServerAddress;
import dev.anemone.rdma.pool.TierOptions;
import dev.anemone.rdma.pool.server.PoolServer;
import dev.anemone.rdma.pool.server.PoolServerOptions;
import dev.anemone.rdma.transport.Transport;
import dev.anemone.rdma.transport.Transports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;

/** A pool of one server in this JVM, which asks for a secret. */
public final class ServerOfAPool implements AutoCloseable {

  public static final int PAGE_BYTES = 16 << 10;

  private static final String SECRET = "of this test";
  private static final int PAGES = 64;

  private final Transport transport;
  private final PoolServer server;
  private final ServerAddress address;
  private final Path token;

  private ServerOfAPool(Transport transport, PoolServer server, ServerAddress address, Path token) {
    this.transport = transport;
    this.server = server;
    this.address = address;
    this.token = token;
  }

  /** Starts it; the file with the secret goes into the directory. */
  public static ServerOfAPool start(Path directory) throws IOException {
    Path token = Files.writeString(directory.resolve("token"), SECRET);
    ServerAddress address;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      address = new ServerAddress("127.0.0.1", socket.getLocalPort());
    }
    Transport transport = Transports.found().open("tcp");
    try {
      PoolServer server =
          PoolServer.start(
              transport,
              new PoolServerOptions(
                  address,
                  List.of(address),
                  List.of(TierOptions.dram((long) PAGES * PAGE_BYTES)),
                  PAGE_BYTES,
                  Duration.ofSeconds(5),
                  Duration.ofSeconds(10),
                  AccessToken.of(SECRET)));
      return new ServerOfAPool(transport, server, address, token);
    } catch (IOException | RuntimeException e) {
      try (transport) {
        throw e;
      }
    }
  }

  public ServerAddress address() {
    return address;
  }

  public PoolServer server() {
    return server;
  }

  /** What a program is started with that uses it, after arguments of its own. */
  public String[] arguments(String... own) {
    List<String> all = new ArrayList<>(List.of(own));
    all.add("--memoryPool=" + address);
    all.add("--memoryPoolTransport=tcp");
    all.add("--memoryPoolTokenFile=" + token);
    return all.toArray(String[]::new);
  }

  /** The same as options. */
  public PipelineOptions options(String... own) {
    return PipelineOptionsFactory.fromArgs(arguments(own)).create();
  }

  @Override
  public void close() throws IOException {
    try (transport) {
      server.close();
    }
  }
}
