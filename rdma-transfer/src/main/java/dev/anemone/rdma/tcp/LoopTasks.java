// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.tcp;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Waits for what event loops do. At the moment in which it ends, a loop of Netty's may take a task
 * that it neither runs nor refuses; whoever waits for that one alone waits for ever.
 */
final class LoopTasks {

  /** Between two looks whether the loop has ended, of which a waiting thread is not told. */
  private static final long LOOK_MILLIS = 50;

  private LoopTasks() {}

  /**
   * Waits for a task.
   *
   * @param endNanos how long, as of {@link System#nanoTime}
   * @return whether it is done; else its loop has ended without it, or it is late
   */
  static boolean await(Future<?> task, EventExecutor loop, long endNanos) {
    while (true) {
      long left = TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime());
      // Looked at first: what the loop has done, it has done before its end.
      boolean last = loop.isTerminated() || left <= 0;
      if (task.awaitUninterruptibly(last ? 0 : Math.min(left, LOOK_MILLIS))) {
        return true;
      }
      if (last) {
        return false;
      }
    }
  }
}
