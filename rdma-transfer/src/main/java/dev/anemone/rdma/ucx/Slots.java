// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.ucx;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;

/**
 * The operations that a connection's users can have under way, and their waiting for one. Each has
 * a bit of one word, so that to take and to give back an operation costs one atomic change each; of
 * the free ones the first is taken, so that few message buffers are made. Thread-safe.
 */
final class Slots {

  /** So many at a time, as the word has one bit for the end. */
  static final int LIMIT = Long.SIZE - 1;

  /** The slot of operations that callbacks take when all {@value #LIMIT} are under way. */
  static final int BEYOND = -1;

  private static final long ALL = Long.MAX_VALUE;
  private static final long CLOSED = Long.MIN_VALUE;

  private final IntFunction<Operation> maker;

  /** Made when they are first taken; each belongs to who has set its bit. */
  private final Operation[] operations = new Operation[LIMIT];

  /** A bit for each operation that is taken, and {@link #CLOSED}, which is set under the lock. */
  private final AtomicLong taken = new AtomicLong();

  private int beyond;

  /** Changed under the lock. */
  private volatile int waiting;

  /** Slots whose operations are made from their numbers. */
  Slots(IntFunction<Operation> maker) {
    this.maker = maker;
  }

  /**
   * Takes an operation, or returns null when there are none any more. Waits while {@value #LIMIT}
   * are taken, unless on a loop's thread, on which it would wait for itself. The wait ends because
   * each operation has a deadline; an interrupt does not end it, and is kept for later.
   */
  Operation take() {
    Operation operation = takeFree();
    return operation != null || isClosed() ? operation : awaitFree();
  }

  private Operation takeFree() {
    for (long seen = taken.get(); seen >= 0 && seen != ALL; seen = taken.get()) {
      int slot = Long.numberOfTrailingZeros(~seen);
      if (taken.compareAndSet(seen, seen | 1L << slot)) {
        if (operations[slot] == null) {
          operations[slot] = maker.apply(slot);
        }
        return operations[slot];
      }
    }
    return null;
  }

  private synchronized Operation awaitFree() {
    boolean interrupted = false;
    // From here on whoever gives one back sees that somebody waits.
    waiting++;
    Operation operation = takeFree();
    while (operation == null && !isClosed() && !ProgressLoop.isCallingBack()) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
      operation = takeFree();
    }
    waiting--;
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (operation == null && !isClosed()) {
      beyond++;
      operation = maker.apply(BEYOND);
    }
    return operation;
  }

  /** Gives back an operation of that slot. */
  void release(int slot) {
    if (slot == BEYOND) {
      releaseBeyond();
      return;
    }
    taken.addAndGet(-(1L << slot));
    if (waiting > 0) {
      wakeOne();
    }
  }

  private synchronized void releaseBeyond() {
    beyond--;
  }

  private synchronized void wakeOne() {
    notify();
  }

  /** From now on none are given. */
  synchronized void close() {
    if (!isClosed()) {
      taken.addAndGet(CLOSED);
    }
    notifyAll();
  }

  boolean isClosed() {
    return taken.get() < 0;
  }

  /** Whether none are given, and all have come back. */
  synchronized boolean isDrained() {
    return taken.get() == CLOSED && beyond == 0;
  }
}
