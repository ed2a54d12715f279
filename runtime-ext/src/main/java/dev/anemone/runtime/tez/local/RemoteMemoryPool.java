// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.local;

import dev.anemone.rdma.pool.Lifetime;
import dev.anemone.rdma.pool.PoolPath;
import dev.anemone.rdma.pool.client.PoolClientOptions;
import dev.anemone.runtime.engine.StoreOptions;
import dev.anemone.runtime.store.BlockStore;
import dev.anemone.runtime.store.remote.RemoteMemoryStore;
import dev.anemone.runtime.tez.pool.PoolConnection;
import java.io.Closeable;
import java.io.IOException;
import java.util.UUID;

/**
 * This JVM's part of a pool of remote memory: a connection, and a directory of its own for blocks,
 * which go when the JVM ends, however it does.
 *
 * @param store keeps the blocks
 */
public record RemoteMemoryPool(
    PoolConnection connection, PoolPath directory, RemoteMemoryStore store) implements Closeable {

  /**
   * Connects.
   *
   * @param overflow for what finds no room in the pool
   * @throws IOException when the pool cannot be used; says which, and why
   */
  static RemoteMemoryPool connect(StoreOptions.RemoteMemory options, BlockStore overflow)
      throws IOException {
    PoolConnection connection =
        PoolConnection.open(
            options.transport(),
            PoolClientOptions.of(options.servers(), options.token()).withCaches(options.caches()));
    try {
      PoolPath directory = PoolPath.of("/anemone/" + UUID.randomUUID());
      return new RemoteMemoryPool(
          connection,
          directory,
          new RemoteMemoryStore(connection.client(), directory, Lifetime.LEASE, overflow));
    } catch (IOException | RuntimeException e) {
      try (connection) {
        throw e;
      }
    }
  }

  /** Deletes what is left, and lets the pool go. */
  @Override
  public void close() throws IOException {
    try (PoolConnection closedLast = connection) {
      closedLast.client().removeDirectory(directory, true);
    }
  }
}
