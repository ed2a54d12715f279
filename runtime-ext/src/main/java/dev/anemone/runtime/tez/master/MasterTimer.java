// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.master;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The time, as vertex managers see it. Thread-safe. */
public interface MasterTimer {

  /** As {@link System#nanoTime}. */
  long nanoTime();

  /** Runs something later, on another thread; what it throws goes to the log. */
  void runAfter(Duration delay, Runnable action);

  /** Real time, with a thread for all jobs of this JVM. */
  static MasterTimer real() {
    return RealTime.INSTANCE;
  }

  /** See {@link #real}. */
  final class RealTime implements MasterTimer {

    private static final Logger LOG = LoggerFactory.getLogger(RealTime.class);
    private static final RealTime INSTANCE = new RealTime();

    private final ScheduledExecutorService executor =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "anemone-master-timer");
              thread.setDaemon(true);
              return thread;
            });

    private RealTime() {}

    @Override
    public long nanoTime() {
      return System.nanoTime();
    }

    @Override
    public void runAfter(Duration delay, Runnable action) {
      Future<?> unused =
          executor.schedule(() -> run(action), delay.toNanos(), TimeUnit.NANOSECONDS);
    }

    private static void run(Runnable action) {
      try {
        action.run();
      } catch (RuntimeException e) {
        LOG.warn("What a vertex manager had to do later has failed", e);
      }
    }
  }
}
