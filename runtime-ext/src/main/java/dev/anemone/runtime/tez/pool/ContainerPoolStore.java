// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.pool;

import dev.anemone.rdma.pool.Lifetime;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockReader;
import dev.anemone.runtime.store.BlockStore;
import dev.anemone.runtime.store.BlockWriter;
import dev.anemone.runtime.store.OverflowingStore;
import dev.anemone.runtime.store.ReadStatistics;
import dev.anemone.runtime.store.WriteOrder;
import dev.anemone.runtime.store.remote.RemoteMemoryStore;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The blocks of a job in the application's pool, as a container reads and writes them. As long as
 * the container finds no server, blocks that are begun go to local files, and those that lie in the
 * pool are lost to readers here. Thread-safe.
 */
final class ContainerPoolStore implements OverflowingStore {

  private final ContainerPool pool;
  private final String jobId;
  private final BlockStore files;

  /** Begun without a pool. */
  private final Set<BlockId> inFiles = ConcurrentHashMap.newKeySet();

  /** Null until the pool is found. */
  private RemoteMemoryStore found;

  ContainerPoolStore(ContainerPool pool, String jobId, BlockStore files) {
    this.pool = pool;
    this.jobId = jobId;
    this.files = files;
  }

  private synchronized Optional<RemoteMemoryStore> inPool() throws IOException {
    if (found == null) {
      Optional<PoolConnection> connection = pool.connection();
      if (connection.isPresent()) {
        found =
            new RemoteMemoryStore(
                connection.get().client(), ClusterPool.directory(jobId), Lifetime.LEASE, files);
      }
    }
    return Optional.ofNullable(found);
  }

  private synchronized Optional<RemoteMemoryStore> found() {
    return Optional.ofNullable(found);
  }

  @Override
  public BlockWriter create(BlockId id, int partitions, WriteOrder order) throws IOException {
    Optional<RemoteMemoryStore> remote = inPool();
    if (remote.isPresent()) {
      if (inFiles.remove(id)) {
        files.delete(id);
      }
      return remote.get().create(id, partitions, order);
    }
    BlockWriter writer = files.create(id, partitions, order);
    inFiles.add(id);
    return writer;
  }

  /**
   * {@inheritDoc}
   *
   * @throws IOException also when there is no pool; says why
   */
  @Override
  public BlockReader open(BlockId id, ReadStatistics statistics) throws IOException {
    if (inFiles.contains(id)) {
      return files.open(id, statistics);
    }
    Optional<RemoteMemoryStore> remote = inPool();
    if (remote.isEmpty()) {
      throw new IOException("block " + id + " lies in a pool that is not there: " + pool.failure());
    }
    return remote.get().open(id, statistics);
  }

  @Override
  public void delete(BlockId id) throws IOException {
    if (inFiles.remove(id)) {
      files.delete(id);
    }
    Optional<RemoteMemoryStore> remote = found();
    if (remote.isPresent()) {
      remote.get().delete(id);
    }
  }

  /** {@inheritDoc} Those that were begun without a pool are counted where they lie. */
  @Override
  public long usedBytes() {
    return found().map(RemoteMemoryStore::usedBytes).orElse(0L);
  }

  @Override
  public boolean isOverflowed(BlockId id) {
    return inFiles.contains(id) || found().map(remote -> remote.isOverflowed(id)).orElse(false);
  }
}
