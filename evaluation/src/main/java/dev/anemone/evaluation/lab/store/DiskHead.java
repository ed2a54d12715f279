// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.store;

import java.io.InterruptedIOException;

/**
 * One disk head, which can be moved by one thread at a time. A thread books the time of its move
 * behind those that others have booked, so the waits are in the order of the calls and each is
 * known before it begins. Thread-safe.
 */
final class DiskHead {

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
