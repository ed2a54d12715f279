// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.buffer;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * A piece of memory while it is out. It outlives the {@link RegisteredBuffer}, and so does not know
 * it: it is what runs when that has become garbage. Thread-safe.
 */
final class Lease implements Runnable {

  private final RegisteredBufferPool pool;
  private final Piece piece;
  private final Throwable origin;
  private final AtomicInteger references = new AtomicInteger(1);

  Lease(RegisteredBufferPool pool, Piece piece, Throwable origin) {
    this.pool = pool;
    this.piece = piece;
    this.origin = origin;
  }

  Piece piece() {
    return piece;
  }

  /** Where it was acquired, or null. */
  Throwable origin() {
    return origin;
  }

  int references() {
    return references.get();
  }

  void retain() {
    change(1);
  }

  /** Says whether that was the last reference; the piece has gone back then. */
  boolean release() {
    boolean last = change(-1) == 0;
    if (last) {
      pool.giveBack(this);
    }
    return last;
  }

  private int change(int by) {
    int before = references.getAndUpdate(count -> count == 0 ? 0 : count + by);
    if (before == 0) {
      throw RegisteredBuffer.released();
    }
    return before + by;
  }

  /** The buffer is garbage, or it was released. */
  @Override
  public void run() {
    if (references.getAndSet(0) > 0) {
      pool.giveBackLost(this);
    }
  }
}
