package dev.anemone.runtime.store;

import java.io.IOException;

/**
 * Stands for a pool of remote memory that cannot be reached from this process. What is written goes
 * to the overflow; what lies in the pool is lost to readers here. Thread-safe.
 */
public final class AbsentPoolStore implements OverflowingStore {

  private final BlockStore overflow;
  private final String reason;

  /**
   * A store.
   *
   * @param overflow takes all blocks, by the same ids
   * @param reason why there is no pool, for messages
   */
  public AbsentPoolStore(BlockStore overflow, String reason) {
    this.overflow = overflow;
    this.reason = reason;
  }

  @Override
  public BlockWriter create(BlockId id, int partitions, WriteOrder order) throws IOException {
    return overflow.create(id, partitions, order);
  }

  /**
   * Fails: who knows of a block in the overflow asks that for it.
   *
   * @throws IOException always, with the reason
   */
  @Override
  public BlockReader open(BlockId id, ReadStatistics statistics) throws IOException {
    throw new IOException("block " + id + " lies in a pool that is not there: " + reason);
  }

  @Override
  public void delete(BlockId id) throws IOException {
    overflow.delete(id);
  }

  /** {@inheritDoc} All of them are in the overflow, which counts them. */
  @Override
  public long usedBytes() {
    return 0;
  }

  @Override
  public boolean isOverflowed(BlockId id) {
    return true;
  }
}
