// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.ndpsimulator;

import umontreal.ssj.simevents.Event;
import umontreal.ssj.simevents.Simulator;

/**
 * The time of one simulation, in seconds from its start, and what shall happen in it. Things of the
 * same moment happen in the order in which they were asked for. Not thread-safe.
 */
final class SimulatedTime {
  private final Simulator simulator = new Simulator();

  SimulatedTime() {
    simulator.init();
  }

  /** Seconds since the start. */
  double now() {
    return simulator.time();
  }

  /** Has an action happen some seconds from now. */
  void after(double seconds, Runnable action) {
    new Event(simulator) {
      @Override
      public void actions() {
        action.run();
      }
    }.schedule(seconds);
  }

  /** Runs until nothing is left to happen. */
  void run() {
    simulator.start();
  }
}
