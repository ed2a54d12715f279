// SPDX-License-Identifier: Apache-2.0
package dev.anemone.yarn;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Waits for what happens in other processes, of which nobody is told. */
public final class Waiting {
  private static final long INTERVAL_MS = 50;

  private Waiting() {}

  /**
   * Waits for a condition.
   *
   * @param complaint what to say when the time is over
   * @throws AssertionError the time is over, or the condition cannot be looked at
   */
  public static void until(Callable<Boolean> condition, Duration limit, Supplier<String> complaint)
      throws InterruptedException {
    long end = System.nanoTime() + limit.toNanos();
    while (!holds(condition)) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("waited " + limit.toSeconds() + " s in vain: " + complaint.get());
      }
      TimeUnit.MILLISECONDS.sleep(INTERVAL_MS);
    }
  }

  private static boolean holds(Callable<Boolean> condition) {
    try {
      return condition.call();
    } catch (Exception e) {
      throw new AssertionError("cannot be looked at", e);
    }
  }
}
