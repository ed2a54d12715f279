// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.clock;

/**
 * Tells how long something takes that is done for each record, from every 64th time after the first
 * ones: looking at a clock takes as long as handling a small record. What it does in other parts of
 * the clock is left out. Used by the task's thread.
 */
public final class SampledTime {

  private static final int EACH = 64;

  private final TaskClock clock;
  private long count;
  private long began;
  private long nanos;

  public SampledTime(TaskClock clock) {
    this.clock = clock;
  }

  /** Whether the next time is measured: then {@link #begin} and {@link #end} are to be called. */
  public boolean isNext() {
    return !TaskClock.isOff() && (count++ < EACH || count % EACH == 0);
  }

  /** What is measured begins. */
  public void begin() {
    began = clock.nanosHere();
  }

  /** What is measured has ended, and the clock is in the part in which it began. */
  public void end() {
    nanos += (clock.nanosHere() - began) * (count <= EACH ? 1 : EACH);
  }

  /** How long all times took together, in nanoseconds. */
  public long nanos() {
    return nanos;
  }
}
