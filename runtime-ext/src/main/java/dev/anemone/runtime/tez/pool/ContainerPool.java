// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.pool;

import dev.anemone.runtime.store.BlockStore;
import dev.anemone.runtime.store.OverflowingStore;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.Optional;
import org.apache.hadoop.security.UserGroupInformation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The application's pool of remote memory, as a container has it. One that finds no server, since
 * all were lost after the application began, does without the pool, and looks for it again when a
 * block is asked for. Thread-safe.
 */
public final class ContainerPool {

  private static final Logger LOG = LoggerFactory.getLogger(ContainerPool.class);

  /** After it was not found. */
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final ClusterPool pool;

  /** Who has the secret of the pool. */
  private final UserGroupInformation user;

  private PoolConnection connection;
  private IOException failure;
  private long failedNanos;

  private ContainerPool(ClusterPool pool, UserGroupInformation user) {
    this.pool = pool;
    this.user = user;
  }

  /**
   * Connects, if there is a server.
   *
   * @throws IOException when the pool is there and cannot be used; says which, and why
   */
  public static ContainerPool connect(ClusterPool pool) throws IOException {
    ContainerPool container = new ContainerPool(pool, UserGroupInformation.getCurrentUser());
    if (container.connection().isEmpty()) {
      LOG.warn("Blocks of this container go to local files: {}", container.failure());
    }
    return container;
  }

  /** The connection, once there is one. */
  synchronized Optional<PoolConnection> connection() throws IOException {
    if (connection == null
        && (failure == null || System.nanoTime() - failedNanos >= PAUSE.toNanos())) {
      try {
        connection =
            user.doAs((PrivilegedExceptionAction<PoolConnection>) pool::connectAsContainer);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted while the memory pool was looked for", e);
      } catch (IOException e) {
        if (!PoolConnection.isNobodyThere(e)) {
          throw e;
        }
        failure = e;
        failedNanos = System.nanoTime();
      }
    }
    return Optional.ofNullable(connection);
  }

  /** Why there was no connection when it was last looked for. */
  synchronized String failure() {
    return failure.getMessage();
  }

  /**
   * The store for the blocks of a job.
   *
   * @param overflow for what finds no room in the pool, or no pool
   */
  public OverflowingStore store(String jobId, BlockStore overflow) {
    return new ContainerPoolStore(this, jobId, overflow);
  }
}
