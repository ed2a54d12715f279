// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.store;

import dev.anemone.ir.partition.HashRange;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockIndex;
import dev.anemone.runtime.store.BlockReader;
import dev.anemone.runtime.store.BlockStore;
import dev.anemone.runtime.store.BlockWriter;
import dev.anemone.runtime.store.ReadStatistics;
import dev.anemone.runtime.store.WriteOrder;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Hands everything on to another store, and makes reads wait. Thread-safe. */
abstract class SlowedStore implements BlockStore {
  private final BlockStore delegate;

  SlowedStore(BlockStore delegate) {
    this.delegate = delegate;
  }

  /** Waits until a read that began at a time in ns may return; fails when it is interrupted. */
  abstract void charge(long begin, long bytes, long seeks) throws InterruptedIOException;

  /** Waits for a time of this JVM, in ns; a message says what is waited for. */
  static void waitUntil(long end, String what) throws InterruptedIOException {
    for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedIOException("the thread was interrupted while it waited for " + what);
      }
    }
  }

  @Override
  public final BlockWriter create(BlockId id, int partitions, WriteOrder order) throws IOException {
    return delegate.create(id, partitions, order);
  }

  @Override
  public final BlockReader open(BlockId id, ReadStatistics statistics) throws IOException {
    return new SlowedReader(delegate.open(id, statistics), statistics, this);
  }

  @Override
  public final BlockReader open(BlockId id, List<HashRange> ranges, ReadStatistics statistics)
      throws IOException {
    return new SlowedReader(delegate.open(id, ranges, statistics), statistics, this);
  }

  @Override
  public final void delete(BlockId id) throws IOException {
    delegate.delete(id);
  }

  @Override
  public final long usedBytes() throws IOException {
    return delegate.usedBytes();
  }

  /** Reads, and has each read charged by what the delegate counts. */
  record SlowedReader(BlockReader delegate, ReadStatistics statistics, SlowedStore store)
      implements BlockReader {
    @Override
    public BlockId id() {
      return delegate.id();
    }

    @Override
    public BlockIndex index() {
      return delegate.index();
    }

    @Override
    public void read(int partition, long position, ByteBuffer target) throws IOException {
      long begin = System.nanoTime();
      int before = target.position();
      long seeksBefore = statistics.seeks();
      delegate.read(partition, position, target);
      store.charge(begin, target.position() - before, statistics.seeks() - seeksBefore);
    }

    @Override
    public void close() throws IOException {
      delegate.close();
    }
  }

  /**
   * Makes reads as slow as they would be on a disk with a moving head, on machines without one:
   * every read that is a seek, as {@link ReadStatistics} has it, takes a certain time longer, and
   * seeks of all readers in this JVM come one after the other. A reader that goes on where it ended
   * is not charged when others have read in between, which a real head would be; so this charges
   * too little rather than too much.
   */
  public static final class SeekChargingStore extends SlowedStore {
    private final long nanosPerSeek;

    public SeekChargingStore(BlockStore delegate, Duration perSeek) {
      super(delegate);
      if (perSeek.isNegative()) {
        throw new IllegalArgumentException("a seek cannot take " + perSeek);
      }
      this.nanosPerSeek = perSeek.toNanos();
    }

    @Override
    void charge(long begin, long bytes, long seeks) throws InterruptedIOException {
      if (seeks > 0) {
        DiskHead.OF_THIS_JVM.move(seeks * nanosPerSeek);
      }
    }
  }

  /**
   * Makes reads as slow as they would be on a disk of a certain rate, which all readers in this JVM
   * share: bytes come one after the other, and after the seeks of {@link SeekChargingStore}. What
   * is written costs nothing more, as if the operating system wrote it when nobody reads.
   */
  public static final class DiskRateStore extends SlowedStore {
    private final double nanosPerByte;

    public DiskRateStore(BlockStore delegate, long bytesPerSecond) {
      super(delegate);
      if (bytesPerSecond < 1) {
        throw new IllegalArgumentException("a disk cannot read " + bytesPerSecond + " bytes/s");
      }
      this.nanosPerByte = 1e9 / bytesPerSecond;
    }

    @Override
    void charge(long begin, long bytes, long seeks) throws InterruptedIOException {
      DiskHead.OF_THIS_JVM.move((long) (bytes * nanosPerByte));
    }
  }

  /**
   * Makes reads as slow as they would be if every reading task were on a machine with a network
   * link of its own: a read returns when the bytes would have come over a link of the given rate,
   * and readers do not wait for each other. A task reads with one thread, so a thread stands for a
   * link. The task that reads most then takes longest, whatever the processors do.
   *
   * <p>What a task has spilled and reads again is charged as well; so is each wait with what the
   * operating system takes to wake a thread, some 50 microseconds. Give tasks the memory not to
   * spill, and a rate at which a read takes milliseconds.
   */
  public static final class LinkChargingStore extends SlowedStore {
    private final double nanosPerByte;

    public LinkChargingStore(BlockStore delegate, long bytesPerSecond) {
      super(delegate);
      if (bytesPerSecond < 1) {
        throw new IllegalArgumentException("a link cannot have " + bytesPerSecond + " bytes/s");
      }
      this.nanosPerByte = 1e9 / bytesPerSecond;
    }

    @Override
    void charge(long begin, long bytes, long seeks) throws InterruptedIOException {
      waitUntil(begin + (long) (bytes * nanosPerByte), "its link");
    }
  }
}
