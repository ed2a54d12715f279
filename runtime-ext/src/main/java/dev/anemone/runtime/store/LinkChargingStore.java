package dev.anemone.runtime.store;

import java.io.IOException;

/**
 * Makes reads as slow as they would be if every reading task were on a machine with a network link
 * of its own, for evaluation on one machine: a read returns when the bytes would have come over a
 * link of the given rate, and readers do not wait for each other. A task reads with one thread, so
 * a thread stands for a link. The task that reads most then takes longest, whatever the processors
 * do.
 *
 * <p>What a task has spilled and reads again is charged as well; so is each wait with what the
 * operating system takes to wake a thread, some 50 microseconds. Give tasks the memory not to
 * spill, and a rate at which a read takes milliseconds. Thread-safe.
 */
public final class LinkChargingStore implements BlockStore {

  /** The system property that asks for this store: bytes per second, a whole number. */
  public static final String PROPERTY = "anemone.taskReadBytesPerSecond";

  private static final double NANOS_PER_SECOND = 1e9;

  private final BlockStore delegate;
  private final double nanosPerByte;

  /**
   * A store that charges reads.
   *
   * @param delegate keeps the blocks
   * @param bytesPerSecond rate of a task's link, at least 1
   */
  public LinkChargingStore(BlockStore delegate, long bytesPerSecond) {
    if (bytesPerSecond < 1) {
      throw new IllegalArgumentException("a link cannot have " + bytesPerSecond + " bytes/s");
    }
    this.delegate = delegate;
    this.nanosPerByte = NANOS_PER_SECOND / bytesPerSecond;
  }

  /**
   * The store as the system property {@link #PROPERTY} asks for it: charged, or as it is when the
   * property is not set.
   *
   * @throws IllegalArgumentException when the property is no number of bytes
   */
  public static BlockStore asAsked(BlockStore store) {
    String asked = System.getProperty(PROPERTY);
    if (asked == null) {
      return store;
    }
    long bytesPerSecond;
    try {
      bytesPerSecond = Long.parseLong(asked);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "-D"
              + PROPERTY
              + "="
              + asked
              + " is not a whole number of bytes per second; give such as 10000000, or leave it out"
              + " and reads are as fast as they are",
          e);
    }
    return new LinkChargingStore(store, bytesPerSecond);
  }

  @Override
  public BlockWriter create(BlockId id, int partitions, WriteOrder order) throws IOException {
    return delegate.create(id, partitions, order);
  }

  @Override
  public BlockReader open(BlockId id, ReadStatistics statistics) throws IOException {
    return new LinkChargingReader(delegate.open(id, statistics), nanosPerByte);
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
