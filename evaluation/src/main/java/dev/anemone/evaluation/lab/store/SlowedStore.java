// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.store;

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
import java.util.concurrent.locks.LockSupport;

/** Hands everything on to another store, and makes reads wait. Thread-safe. */
abstract class SlowedStore implements BlockStore {
  private final BlockStore delegate;

  SlowedStore(BlockStore delegate) {
    this.delegate = delegate;
  }

  /**
   * Waits until a read may return that the other store has done.
   *
   * @param begin when it began, in ns of this JVM
   * @param seeks that it took
   * @throws InterruptedIOException when the thread is interrupted, which it stays
   */
  abstract void charge(long begin, long bytes, long seeks) throws InterruptedIOException;

  /**
   * Waits for a time of this JVM, in ns.
   *
   * @param what is waited for, for the message
   */
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
  public final void delete(BlockId id) throws IOException {
    delegate.delete(id);
  }

  @Override
  public final long usedBytes() throws IOException {
    return delegate.usedBytes();
  }

  /**
   * Reads, and has each read charged.
   *
   * @param delegate reads
   * @param statistics that the reads of the delegate count in
   */
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
}
