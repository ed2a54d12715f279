// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cluster;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for what other processes and Hadoop's daemons do, of which nobody is told. */
final class Waiting {
  private static final long INTERVAL_MS = 50;

  private Waiting() {}

  /**
   * Waits for a condition.
   *
   * @param complaint what to say when the time is over
   * @throws IllegalStateException the time is over, or the thread was interrupted
   */
  static void until(BooleanSupplier condition, Duration limit, Supplier<String> complaint) {
    long end = System.nanoTime() + limit.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end > 0) {
        throw new IllegalStateException(
            "waited " + limit.toSeconds() + " s in vain: " + complaint.get());
      }
      try {
        TimeUnit.MILLISECONDS.sleep(INTERVAL_MS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while waiting: " + complaint.get(), e);
      }
    }
  }
}
