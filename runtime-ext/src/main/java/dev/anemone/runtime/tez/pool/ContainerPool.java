package dev.anemone.runtime.tez.pool;

import dev.anemone.rdma.pool.Lifetime;
import dev.anemone.rdma.pool.ServerUnavailableException;
import dev.anemone.runtime.store.AbsentPoolStore;
import dev.anemone.runtime.store.BlockStore;
import dev.anemone.runtime.store.OverflowingStore;
import dev.anemone.runtime.store.RemoteMemoryStore;
import java.io.IOException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The application's pool of remote memory, as a container has it. A container that finds none of
 * its servers, since they were lost after the application began, goes without the pool for its
 * life: what it writes goes to local files, and what others have in the pool is made again.
 */
public final class ContainerPool {

  private static final Logger LOG = LoggerFactory.getLogger(ContainerPool.class);

  private final Optional<PoolConnection> connection;
  private final String reason;

  private ContainerPool(Optional<PoolConnection> connection, String reason) {
    this.connection = connection;
    this.reason = reason;
  }

  /**
   * Connects.
   *
   * @throws IOException when the pool is there and cannot be used; says which, and why
   */
  public static ContainerPool connect(ClusterPool pool) throws IOException {
    try {
      return new ContainerPool(Optional.of(pool.connectAsContainer()), "");
    } catch (IOException e) {
      if (!(e.getCause() instanceof ServerUnavailableException)) {
        throw e;
      }
      LOG.warn("Blocks of this container go to local files: {}", e.getMessage());
      return new ContainerPool(Optional.empty(), e.getMessage());
    }
  }

  /**
   * The store for the blocks of a job.
   *
   * @param overflow for what finds no room in the pool, or no pool
   */
  public OverflowingStore store(String jobId, BlockStore overflow) throws IOException {
    return connection.isPresent()
        ? new RemoteMemoryStore(
            connection.get().client(), ClusterPool.directory(jobId), Lifetime.SESSION, overflow)
        : new AbsentPoolStore(overflow, reason);
  }
}
