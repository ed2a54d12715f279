// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.store;

import java.io.InterruptedIOException;

/**
 * One disk head, which can be used by one thread at a time. A thread books its time behind that
 * which others have booked, so the waits are in the order of the calls and each is known before it
 * begins. Thread-safe.
 */
final class DiskHead {
  /** The one disk that slowed stores of this JVM are on. */
  static final DiskHead OF_THIS_JVM = new DiskHead();

  private boolean moved;
  private long freeAt;

  /** Returns when the head has done what was booked, and this, which no interrupt stops. */
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
