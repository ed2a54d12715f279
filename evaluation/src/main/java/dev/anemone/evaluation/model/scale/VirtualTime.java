// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.scale;

import dev.anemone.runtime.tez.master.MasterTimer;
import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Queue;
import org.apache.hadoop.yarn.util.Clock;

/** Time that goes on when nothing is left to be done at a moment. Not thread-safe. */
final class VirtualTime implements Clock, MasterTimer {

  private final Queue<Later> laters =
      new PriorityQueue<>(Comparator.comparingLong(Later::nanos).thenComparingLong(Later::number));
  private long nowNanos;
  private long numbers;

  private record Later(long nanos, long number, Runnable action) {}

  /** Milliseconds since the beginning. */
  @Override
  public long getTime() {
    return nowNanos / 1_000_000;
  }

  @Override
  public long nanoTime() {
    return nowNanos;
  }

  @Override
  public void runAfter(Duration delay, Runnable action) {
    laters.add(new Later(nowNanos + delay.toNanos(), numbers++, action));
  }

  /** Goes on to what is to be done next, and does it; false if there is nothing. */
  boolean goOn() {
    Later next = laters.poll();
    if (next == null) {
      return false;
    }
    nowNanos = next.nanos();
    next.action().run();
    return true;
  }
}
