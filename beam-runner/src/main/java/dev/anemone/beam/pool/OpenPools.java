// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.pool;

import dev.anemone.rdma.pool.ServerAddress;
import dev.anemone.rdma.pool.client.CacheOptions;
import dev.anemone.rdma.pool.client.PoolClient;
import dev.anemone.rdma.pool.client.PoolClientOptions;
import dev.anemone.runtime.tez.pool.PoolConnection;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections of this process to pools with files, one to each pool. Nobody tells a file system
 * of Beam that it is used no longer, so a connection ends when no file of its pool has been open
 * for some time. Thread-safe.
 */
final class OpenPools {

  /** Those that all file systems of this process share. */
  static final OpenPools SHARED = new OpenPools(Duration.ofSeconds(30));

  private static final Logger LOG = LoggerFactory.getLogger(OpenPools.class);

  /** A transfer takes one for a moment; no open file keeps one. */
  private static final int BUFFERS = 8;

  private final Duration idle;
  private final Map<Key, Shared> pools = new ConcurrentHashMap<>();

  /** Connections end when they were not used for so long. */
  OpenPools(Duration idle) {
    this.idle = idle;
  }

  /** What tells connections apart. */
  private record Key(
      List<ServerAddress> servers, Optional<String> transport, Optional<String> tokenFile) {}

  /** A connection that its user closes. */
  static final class Use implements Closeable {
    private final Shared shared;
    private final PoolClient client;
    private boolean closed;

    private Use(Shared shared, PoolClient client) {
      this.shared = shared;
      this.client = client;
    }

    PoolClient client() {
      return client;
    }

    @Override
    public void close() {
      if (!closed) {
        closed = true;
        shared.giveBack();
      }
    }
  }

  /** The way to one pool. */
  private final class Shared {
    private PoolConnection connection;
    private int users;
    private long usedNanos;
    private boolean watched;

    synchronized Use use(Key key, PoolSettings settings) throws IOException {
      if (connection == null) {
        connection =
            PoolConnection.open(
                key.transport(),
                PoolClientOptions.of(key.servers(), settings.token())
                    .withBuffers(BUFFERS)
                    .withCaches(new CacheOptions(0, 0, Duration.ZERO)));
      }
      users++;
      return new Use(this, connection.client());
    }

    synchronized void giveBack() {
      users--;
      usedNanos = System.nanoTime();
      if (!watched) {
        watched = true;
        lookLater(idle.toNanos());
      }
    }

    private void lookLater(long nanos) {
      CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS).execute(this::closeIfIdle);
    }

    private synchronized void closeIfIdle() {
      long left = usedNanos + idle.toNanos() - System.nanoTime();
      if (users > 0 || left > 0) {
        lookLater(Math.max(left, idle.toNanos() / 2));
        return;
      }
      watched = false;
      PoolConnection ended = connection;
      connection = null;
      try {
        ended.close();
      } catch (IOException | RuntimeException e) {
        LOG.warn("a connection to a memory pool did not end as it should", e);
      }
    }
  }

  /**
   * A connection to the pool of a file.
   *
   * @throws IOException when the pool cannot be used; says which, and why
   */
  Use use(PoolSettings settings, PoolResourceId file) throws IOException {
    Key key = new Key(settings.servers(file), settings.transport(), settings.tokenFile());
    return pools.computeIfAbsent(key, ignored -> new Shared()).use(key, settings);
  }
}
