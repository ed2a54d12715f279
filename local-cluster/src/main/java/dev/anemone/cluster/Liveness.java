// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cluster;

/** Whether processes run. */
final class Liveness {
  private Liveness() {}

  /**
   * Whether a process of this user runs. One that has ended, but whose parent has not asked for its
   * exit code yet, counts as alive for the operating system, and has no program any more.
   */
  static boolean runs(ProcessHandle process) {
    return process.isAlive() && process.info().command().isPresent();
  }
}
