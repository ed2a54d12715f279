// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.proxy;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Plans that run and plans that wait; there is no third place. Thread-safe. */
final class PlanQueue implements AutoCloseable {

  /** A plan is stopped within its step; what takes longer hangs, so this is no option. */
  private static final long END_MS = 10_000;

  private final int limit;
  private final ThreadPoolExecutor threads;

  PlanQueue(int cores, int limit) {
    this.limit = limit;
    BlockingQueue<Runnable> waiting =
        limit == 0 ? new SynchronousQueue<>() : new ArrayBlockingQueue<>(limit);
    AtomicInteger number = new AtomicInteger();
    this.threads =
        new ThreadPoolExecutor(
            cores,
            cores,
            0,
            TimeUnit.MILLISECONDS,
            waiting,
            task -> {
              Thread thread = new Thread(task, "plan-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
  }

  /** Takes a plan in; false when there is no room. */
  boolean offer(Runnable plan) {
    try {
      threads.execute(plan);
      return true;
    } catch (RejectedExecutionException full) {
      return false;
    }
  }

  /** Gives the place of a plan free that has not begun. */
  void remove(Runnable plan) {
    threads.remove(plan);
  }

  int running() {
    return threads.getActiveCount();
  }

  int queued() {
    return threads.getQueue().size();
  }

  int limit() {
    return limit;
  }

  /** Waits until running plans have ended, which their clients' connections must have before. */
  @Override
  public void close() {
    threads.shutdownNow();
    try {
      if (!threads.awaitTermination(END_MS, TimeUnit.MILLISECONDS)) {
        throw new IllegalStateException("a plan did not end within " + END_MS + " ms");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
