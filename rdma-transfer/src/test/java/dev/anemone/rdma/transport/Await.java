// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.transport;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits until something is so. */
public final class Await {

  /** How long tests wait for what happens at once on an idle machine. */
  public static final Duration PATIENCE = Duration.ofMinutes(2);

  private Await() {}

  /**
   * Returns when the condition holds.
   *
   * @throws AssertionError when it does not within {@link #PATIENCE}
   */
  public static void until(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("not within " + PATIENCE.toSeconds() + " s: " + what);
      }
      LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
    }
  }
}
