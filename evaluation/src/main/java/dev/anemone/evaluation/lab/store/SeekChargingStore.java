// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.store;

import dev.anemone.runtime.store.BlockStore;
import dev.anemone.runtime.store.ReadStatistics;
import java.io.InterruptedIOException;
import java.time.Duration;

/**
 * Makes reads as slow as they would be on a disk with a moving head, on machines without one: every
 * read that is a seek, as {@link ReadStatistics} has it, takes a certain time longer, and seeks of
 * all readers in this JVM come one after the other. A reader that goes on where it ended is not
 * charged when others have read in between, which a real head would be; so this charges too little
 * rather than too much.
 */
public final class SeekChargingStore extends SlowedStore {
  private static final DiskHead HEAD = new DiskHead();

  private final long nanosPerSeek;

  /** A store that charges seeks. */
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
      HEAD.move(seeks * nanosPerSeek);
    }
  }

  /**
   * One disk head, which can be moved by one thread at a time. A thread books the time of its move
   * behind those that others have booked, so the waits are in the order of the calls and each is
   * known before it begins. Thread-safe.
   */
  static final class DiskHead {
    private boolean moved;
    private long freeAt;

    /**
     * Returns when the head has made its earlier moves and this one.
     *
     * @throws InterruptedIOException when the thread is interrupted, which it stays; the head makes
     *     the move all the same
     */
    void move(long nanos) throws InterruptedIOException {
      SlowedStore.waitUntil(book(nanos), "the disk");
    }

    private synchronized long book(long nanos) {
      long now = System.nanoTime();
      freeAt = (moved && freeAt - now > 0 ? freeAt : now) + nanos;
      moved = true;
      return freeAt;
    }
  }
}
