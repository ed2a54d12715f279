// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.ndpsimulator;

import java.util.ArrayDeque;
import java.util.Deque;

/** Cores that are given to tasks in the order in which they ask. Not thread-safe. */
final class CorePool {
  private final SimulatedTime time;
  private final int cores;
  private final Deque<Runnable> waiting = new ArrayDeque<>();
  private int busy;

  CorePool(SimulatedTime time, int cores) {
    this.time = time;
    this.cores = cores;
  }

  /** Gives a core to a task as soon as there is one, which may be at once. */
  void take(Runnable whenTaken) {
    if (busy == cores) {
      waiting.add(whenTaken);
    } else {
      busy++;
      whenTaken.run();
    }
  }

  /** Takes a core back that a task has got. */
  void giveBack() {
    Runnable next = waiting.poll();
    if (next == null) {
      busy--;
    } else {
      next.run();
    }
  }

  /**
   * Runs a piece of work on a core and gives the core back.
   *
   * @param seconds that it takes, once it has a core
   */
  void run(double seconds, Runnable whenDone) {
    take(
        () ->
            time.after(
                seconds,
                () -> {
                  giveBack();
                  whenDone.run();
                }));
  }

  /** Tasks that have a core. */
  int running() {
    return busy;
  }

  /** Tasks that have a core or wait for one. */
  int tasks() {
    return busy + waiting.size();
  }
}
