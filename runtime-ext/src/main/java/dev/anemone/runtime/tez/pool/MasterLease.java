// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.pool;

import java.io.Closeable;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lease of an application on its pool of remote memory, held by the application master from its
 * start to its end: as long as it is held, what the application's containers have written stays. It
 * is the business of something that every attempt of a master has before a task runs, which the
 * vertex managers are not: of vertices that have succeeded before, Tez runs none in a later
 * attempt.
 *
 * <p>When a master dies, the pool deletes the blocks, and the next attempt takes the same lease;
 * tasks whose blocks are gone are run again then. An attempt that finds no server, since all were
 * lost after the application began, looks for them again all the time; containers do without the
 * pool meanwhile. Thread-safe.
 */
public final class MasterLease implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(MasterLease.class);

  /** Between two looks for a server, which go on until there is one. */
  private static final long PAUSE_MILLIS = 1_000;

  private final ClusterPool pool;

  /** Who has the secret of the pool. */
  private final UserGroupInformation user;

  private PoolConnection held;
  private ScheduledExecutorService search;
  private Future<?> searching;

  private MasterLease(ClusterPool pool, UserGroupInformation user) {
    this.pool = pool;
    this.user = user;
  }

  /**
   * Takes the lease of an application, as its master, at once or when there is a server; there is
   * nothing to take when it has no pool.
   *
   * @throws IOException when the pool is there and cannot be used; says which, and why
   */
  public static MasterLease take(Configuration application) throws IOException {
    MasterLease lease =
        new MasterLease(
            ClusterPool.in(application).orElse(null), UserGroupInformation.getCurrentUser());
    if (lease.pool != null) {
      lease.takeOrSearch();
    }
    return lease;
  }

  private synchronized void takeOrSearch() throws IOException {
    try {
      held = connect();
    } catch (IOException e) {
      if (!PoolConnection.isNobodyThere(e)) {
        throw e;
      }
      LOG.warn("Blocks go to local files until there is a server: {}", e.getMessage());
      search =
          Executors.newSingleThreadScheduledExecutor(
              work -> {
                Thread thread = new Thread(work, "pool-lease");
                thread.setDaemon(true);
                return thread;
              });
      searching =
          search.scheduleWithFixedDelay(
              this::look, PAUSE_MILLIS, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private void look() {
    PoolConnection found;
    try {
      found = connect();
    } catch (IOException e) {
      if (PoolConnection.isNobodyThere(e) || isEnded()) {
        LOG.debug("no lease yet", e);
        return;
      }
      // As every container is, which says so to the user.
      LOG.error("the lease is not taken", e);
      end(null);
      return;
    }
    LOG.info("There is a server of the memory pool again, and the lease is taken.");
    end(found);
  }

  private synchronized boolean isEnded() {
    return search.isShutdown();
  }

  private synchronized void end(PoolConnection found) {
    if (isEnded()) {
      closeLate(found);
    } else {
      held = found;
      searching.cancel(false);
      search.shutdown();
    }
  }

  /** Found by a search that had been ended meanwhile. */
  private static void closeLate(PoolConnection found) {
    if (found != null) {
      try {
        found.close();
      } catch (IOException e) {
        LOG.warn("the lease ends with the process", e);
      }
    }
  }

  private PoolConnection connect() throws IOException {
    try {
      return user.doAs((PrivilegedExceptionAction<PoolConnection>) pool::connectAsMaster);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while the memory pool was looked for", e);
    }
  }

  /** Lets go of the lease, with all blocks. */
  @Override
  public synchronized void close() throws IOException {
    if (search != null) {
      searching.cancel(false);
      search.shutdownNow();
    }
    if (held != null) {
      held.close();
    }
  }
}
