// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.ucx;

import java.util.ArrayDeque;
import java.util.function.Supplier;

/**
 * The operations that a connection's users can have under way, and their waiting for one. Last in,
 * first out, so that few message buffers are made. Thread-safe.
 */
final class Slots {

  private final int limit;
  private final Supplier<Operation> maker;
  private final ArrayDeque<Operation> free = new ArrayDeque<>();
  private int taken;
  private int waiting;
  private volatile boolean closed;

  Slots(int limit, Supplier<Operation> maker) {
    this.limit = limit;
    this.maker = maker;
  }

  /**
   * Takes a place, or returns null when there are none any more. Waits while {@code limit} are
   * taken, unless on a loop's thread, on which it would wait for itself. The wait ends because each
   * operation has a deadline; an interrupt does not end it, and is kept for later.
   */
  synchronized Operation take() {
    boolean interrupted = false;
    while (!closed && taken >= limit && !ProgressLoop.isCallingBack()) {
      waiting++;
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
      waiting--;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (closed) {
      return null;
    }
    taken++;
    Operation operation = free.poll();
    return operation == null ? maker.get() : operation;
  }

  synchronized void release(Operation operation) {
    taken--;
    if (free.size() < limit) {
      free.push(operation);
    }
    if (waiting > 0) {
      notify();
    }
  }

  /** From now on none are given. */
  synchronized void close() {
    closed = true;
    notifyAll();
  }

  boolean isClosed() {
    return closed;
  }

  /** Whether none are given, and all have come back. */
  synchronized boolean isDrained() {
    return closed && taken == 0;
  }
}
