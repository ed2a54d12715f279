// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.proxy;

import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.ImmediateEventExecutor;
import io.netty.util.concurrent.Promise;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How much of its cores a proxy gets, which is less than all of them where other programs want
 * them, too, or where the system has set a limit. Plans show it; before the first one, all cores
 * are kept busy for a moment. Thread-safe.
 */
final class ProcessorShare {

  /** Of each core: a few times what Linux gives to one thread before another's turn comes. */
  private static final Duration WORK = Duration.ofMillis(20);

  /** Four of the periods in which Linux keeps a limit. */
  private static final Duration LONGEST = Duration.ofMillis(400);

  /** For so long what was found counts. */
  private static final Duration KEPT = Duration.ofSeconds(5);

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final int cores;
  private Future<Double> newest;
  private long measuredAt;

  ProcessorShare(int cores) {
    this.cores = cores;
  }

  /**
   * The part of a core that each of them is, above 0 and up to 1. It is found out where that was
   * not done lately, by threads of its own; the future ends with the last of them.
   *
   * @param idle whether no plan has a core now; while one has, what was found before counts
   */
  synchronized Future<Double> perCore(boolean idle) {
    boolean old = System.nanoTime() - measuredAt > KEPT.toNanos();
    if (newest == null || (old && idle && newest.isDone())) {
      measuredAt = System.nanoTime();
      newest = measure();
    }
    return newest;
  }

  private Future<Double> measure() {
    Promise<Double> share = ImmediateEventExecutor.INSTANCE.newPromise();
    AtomicLong left = new AtomicLong(cores);
    AtomicLong processorNanos = new AtomicLong();
    long begin = System.nanoTime();
    for (int core = 0; core < cores; core++) {
      Thread thread =
          new Thread(
              () -> {
                processorNanos.addAndGet(work(begin));
                if (left.decrementAndGet() == 0) {
                  double all = (double) cores * (System.nanoTime() - begin);
                  share.setSuccess(Math.min(1, processorNanos.get() / all));
                }
              },
              "processor-share-" + core);
      thread.setDaemon(true);
      thread.start();
    }
    return share;
  }

  /** Keeps a core busy; returns the processor time that this thread got, ns, at least 1. */
  private static long work(long begin) {
    long used;
    do {
      used = THREADS.getCurrentThreadCpuTime();
    } while (used < WORK.toNanos() && System.nanoTime() - begin < LONGEST.toNanos());
    return Math.max(1, used);
  }
}
