// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.ucx;

import java.util.concurrent.CountDownLatch;

/**
 * Waits that an interrupt does not cut short, for ends that come by themselves, and after which
 * memory or threads are gone. The interrupt is kept for the caller.
 */
final class UninterruptibleWaits {

  private UninterruptibleWaits() {}

  static void await(CountDownLatch latch) {
    untilDone(latch::await);
  }

  static void join(Thread thread) {
    untilDone(thread::join);
  }

  private interface Wait {
    void begin() throws InterruptedException;
  }

  private static void untilDone(Wait wait) {
    boolean interrupted = false;
    boolean done = false;
    while (!done) {
      try {
        wait.begin();
        done = true;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
