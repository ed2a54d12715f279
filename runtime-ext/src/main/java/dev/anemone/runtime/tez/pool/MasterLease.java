package dev.anemone.runtime.tez.pool;

import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/**
 * The lease of an application on its pool of remote memory, held by the application master from its
 * start to its end: as long as it is held, what the application's containers have written stays. It
 * is the business of something that every attempt of a master has before a task runs, which the
 * vertex managers are not: of vertices that have succeeded before, Tez runs none in a later
 * attempt.
 *
 * <p>When a master dies, the pool deletes the blocks, and the next attempt takes the same lease;
 * tasks whose blocks are gone are run again then. Thread-safe.
 */
public final class MasterLease implements Closeable {

  private final Optional<PoolConnection> held;

  private MasterLease(Optional<PoolConnection> held) {
    this.held = held;
  }

  /**
   * Takes the lease of an application, as its master; there is nothing to take when it has no pool.
   *
   * @throws IOException when the pool cannot be used; says which, and why
   */
  public static MasterLease take(Configuration application) throws IOException {
    Optional<ClusterPool> pool = ClusterPool.in(application);
    return new MasterLease(
        pool.isPresent() ? Optional.of(pool.get().connectAsMaster()) : Optional.empty());
  }

  /** Lets go of the lease, with all blocks. */
  @Override
  public void close() throws IOException {
    if (held.isPresent()) {
      held.get().close();
    }
  }
}
