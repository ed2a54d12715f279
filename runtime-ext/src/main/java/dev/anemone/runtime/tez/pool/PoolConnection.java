// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.pool;

import dev.anemone.rdma.pool.ServerUnavailableException;
import dev.anemone.rdma.pool.client.PoolClient;
import dev.anemone.rdma.pool.client.PoolClientOptions;
import dev.anemone.rdma.transport.Transport;
import dev.anemone.rdma.transport.Transports;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import java.util.stream.Collectors;

/** A client of a pool of remote memory, with the transport that it has for itself. */
public record PoolConnection(Transport transport, PoolClient client) implements Closeable {

  /**
   * Connects.
   *
   * @param transportName empty for the best that works
   * @throws IOException when the pool cannot be used; says which, and why
   */
  public static PoolConnection open(Optional<String> transportName, PoolClientOptions options)
      throws IOException {
    try {
      Transport transport =
          transportName.isPresent()
              ? Transports.found().open(transportName.get())
              : Transports.found().open();
      try {
        return new PoolConnection(transport, PoolClient.connect(transport, options));
      } catch (IOException | RuntimeException e) {
        try (transport) {
          throw e;
        }
      }
    } catch (IOException e) {
      throw new IOException(
          "the memory pool "
              + options.servers().stream().map(Object::toString).collect(Collectors.joining(","))
              + " cannot be used: "
              + e.getMessage(),
          e);
    }
  }

  /** Whether {@link #open} has failed since no server of the pool answers. */
  static boolean isNobodyThere(IOException failure) {
    return failure.getCause() instanceof ServerUnavailableException;
  }

  /** Bytes that are free on all servers that are there. */
  public long freeBytes() {
    return client.status().stream()
        .mapToLong(status -> status.capacityBytes() - status.usedBytes())
        .sum();
  }

  @Override
  public void close() throws IOException {
    try (Transport closedLast = transport) {
      client.close();
    }
  }
}
