// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The connections of a listener that nobody but their own threads can end. Thread-safe.
 *
 * @param <C> a connection
 */
public final class OpenConnections<C> {

  private final Set<C> open = new HashSet<>();
  private boolean closed;

  /** Adds a connection, which has to tell its {@link #ended end}; false when it comes too late. */
  public synchronized boolean add(C connection) {
    return !closed && open.add(connection);
  }

  /** A connection has ended, and nothing is read or written by it any longer. */
  public synchronized void ended(C connection) {
    open.remove(connection);
    notifyAll();
  }

  /**
   * Takes no more connections, ends those that are open, and waits for that, even if the thread is
   * interrupted.
   *
   * @param end lets a connection end, now or later
   * @return whether all have ended in time
   */
  public boolean close(Consumer<C> end, Duration timeout) {
    Set<C> left;
    synchronized (this) {
      closed = true;
      left = Set.copyOf(open);
    }
    left.forEach(end);
    return awaitEnds(System.nanoTime() + timeout.toNanos());
  }

  private synchronized boolean awaitEnds(long deadline) {
    boolean interrupted = false;
    try {
      while (!open.isEmpty()) {
        long millis = (deadline - System.nanoTime()) / 1_000_000;
        if (millis <= 0) {
          return false;
        }
        try {
          wait(millis);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      return true;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
