// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.task;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import org.apache.tez.runtime.api.ProcessorContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells Tez every now and then how far an attempt is, until it is closed. Speculation compares
 * attempts by that. The attempts of a JVM share one thread.
 */
final class ProgressTicker implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ProgressTicker.class);

  /** Nobody waits for it, so it is no option. */
  private static final Duration PERIOD = Duration.ofMillis(500);

  private static final ScheduledExecutorService TIMER =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "anemone-progress");
            thread.setDaemon(true);
            return thread;
          });

  private final ScheduledFuture<?> ticks;

  private ProgressTicker(ScheduledFuture<?> ticks) {
    this.ticks = ticks;
  }

  /**
   * Begins.
   *
   * @param progress from 0 to 1; asked for by another thread
   */
  static ProgressTicker start(ProcessorContext context, DoubleSupplier progress) {
    return new ProgressTicker(
        TIMER.scheduleWithFixedDelay(
            () -> tell(context, progress),
            PERIOD.toMillis(),
            PERIOD.toMillis(),
            TimeUnit.MILLISECONDS));
  }

  private static void tell(ProcessorContext context, DoubleSupplier progress) {
    try {
      context.setProgress((float) progress.getAsDouble());
    } catch (RuntimeException e) { // of a source that is a user's: the attempt goes on without
      LOG.warn("It is not known how far {} is", context.getUniqueIdentifier(), e);
      throw e; // which ends the ticks
    }
  }

  @Override
  public void close() {
    ticks.cancel(false);
  }
}
