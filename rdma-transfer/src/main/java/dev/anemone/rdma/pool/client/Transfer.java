// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.client;

import dev.anemone.rdma.transport.Completion;
import java.io.IOException;

/**
 * Waits for operations of a transport, some or many. It waits for every one of them, come what may:
 * before that their memory is the transport's. Thread-safe.
 */
final class Transfer implements Completion {

  private int underWay;
  private IOException failure;

  /** An operation that has it as its completion is about to begin. */
  synchronized Completion begin() {
    underWay++;
    return this;
  }

  @Override
  public synchronized void completed(IOException failed) {
    underWay--;
    if (failed != null && failure == null) {
      failure = failed;
    }
    if (underWay == 0) {
      notifyAll();
    }
  }

  /**
   * Waits until all operations that have begun have ended, which the transport's deadline bounds.
   *
   * @return why the first one failed, or null when none has
   */
  synchronized IOException await() {
    awaitEnd();
    return failure;
  }

  /** Waits as {@link #await}, and is as new. */
  synchronized IOException awaitAndReset() {
    awaitEnd();
    IOException first = failure;
    failure = null;
    return first;
  }

  /** Waits as {@link #await}; how they ended is of no interest. */
  synchronized void awaitEnd() {
    boolean interrupted = false;
    while (underWay > 0) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
