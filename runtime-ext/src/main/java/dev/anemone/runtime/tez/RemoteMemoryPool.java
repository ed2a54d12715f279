package dev.anemone.runtime.tez;

import dev.anemone.rdma.pool.AccessToken;
import dev.anemone.rdma.pool.Lifetime;
import dev.anemone.rdma.pool.PoolPath;
import dev.anemone.rdma.pool.client.PoolClient;
import dev.anemone.rdma.pool.client.PoolClientOptions;
import dev.anemone.rdma.transport.Transport;
import dev.anemone.rdma.transport.Transports;
import dev.anemone.runtime.engine.StoreOptions;
import dev.anemone.runtime.store.BlockStore;
import dev.anemone.runtime.store.RemoteMemoryStore;
import java.io.Closeable;
import java.io.IOException;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * This JVM's part of a pool of remote memory: a connection, and a directory of its own for blocks,
 * which go when the JVM ends, however it does.
 *
 * @param store keeps the blocks
 */
record RemoteMemoryPool(
    Transport transport, PoolClient client, PoolPath directory, RemoteMemoryStore store)
    implements Closeable {

  /**
   * Connects.
   *
   * @param overflow for what finds no room in the pool
   * @throws IOException when the pool cannot be used; says which, and why
   */
  static RemoteMemoryPool connect(StoreOptions.RemoteMemory options, BlockStore overflow)
      throws IOException {
    try {
      return open(options, overflow);
    } catch (IOException e) {
      throw new IOException(
          "the memory pool "
              + options.servers().stream().map(Object::toString).collect(Collectors.joining(","))
              + " cannot be used: "
              + e.getMessage(),
          e);
    }
  }

  private static RemoteMemoryPool open(StoreOptions.RemoteMemory options, BlockStore overflow)
      throws IOException {
    AccessToken token =
        options.tokenFile().isPresent()
            ? AccessToken.read(options.tokenFile().get())
            : AccessToken.open();
    Transport transport =
        options.transport().isPresent()
            ? Transports.found().open(options.transport().get())
            : Transports.found().open();
    try {
      PoolClient client =
          PoolClient.connect(transport, PoolClientOptions.of(options.servers(), token));
      try {
        PoolPath directory = PoolPath.of("/anemone/" + UUID.randomUUID());
        return new RemoteMemoryPool(
            transport,
            client,
            directory,
            new RemoteMemoryStore(client, directory, Lifetime.SESSION, overflow));
      } catch (IOException | RuntimeException e) {
        try (client) {
          throw e;
        }
      }
    } catch (IOException | RuntimeException e) {
      try (transport) {
        throw e;
      }
    }
  }

  /** Bytes that are free on all servers. */
  long freeBytes() {
    return client.status().stream()
        .mapToLong(status -> status.capacityBytes() - status.usedBytes())
        .sum();
  }

  /** Deletes what is left, and lets the pool go. */
  @Override
  public void close() throws IOException {
    try (Transport closedLast = transport;
        PoolClient closedSecond = client) {
      client.removeDirectory(directory, true);
    }
  }
}
