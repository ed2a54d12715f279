package dev.anemone.runtime.store;

import java.io.IOException;
import java.time.Duration;

/**
 * Makes reads as slow as they would be on a disk with a moving head, for evaluation on machines
 * without one: every read that is a seek, as {@link ReadStatistics} has it, takes a certain time
 * longer, and seeks of all readers in this JVM come one after the other. A reader that goes on
 * where it ended is not charged when others have read in between, which a real head would be; so
 * this charges too little rather than too much. Thread-safe.
 */
public final class SeekChargingStore implements BlockStore {

  private static final DiskHead HEAD = new DiskHead();

  private final BlockStore delegate;
  private final long nanosPerSeek;

  /**
   * A store that charges seeks.
   *
   * @param delegate keeps the blocks
   * @param perSeek how long a seek takes
   */
  public SeekChargingStore(BlockStore delegate, Duration perSeek) {
    if (perSeek.isNegative()) {
      throw new IllegalArgumentException("a seek cannot take " + perSeek);
    }
    this.delegate = delegate;
    this.nanosPerSeek = perSeek.toNanos();
  }

  @Override
  public BlockWriter create(BlockId id, int partitions, WriteOrder order) throws IOException {
    return delegate.create(id, partitions, order);
  }

  @Override
  public BlockReader open(BlockId id, ReadStatistics statistics) throws IOException {
    return new SeekChargingReader(delegate.open(id, statistics), statistics, HEAD, nanosPerSeek);
  }

  @Override
  public void delete(BlockId id) throws IOException {
    delegate.delete(id);
  }

  @Override
  public long usedBytes() throws IOException {
    return delegate.usedBytes();
  }
}
