// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.ndpsimulator;

import dev.anemone.ndp.decide.ClusterLoad;

/**
 * A storage node: cores that run plans in the order in which they come, and what it tells of them.
 * It can only tell what was believed of a plan when it came. Not thread-safe.
 */
final class StorageNode {
  private final CorePool pool;
  private final int cores;
  private double workLeft;
  private double bytesToCome;
  private double workDone;

  StorageNode(SimulatedTime time, int cores) {
    this.cores = cores;
    pool = new CorePool(time, cores);
  }

  /**
   * Runs a plan.
   *
   * @param believedWork core-seconds that it was said to take
   * @param believedBytes that it was said to leave
   * @param work core-seconds that it takes
   */
  void run(double believedWork, double believedBytes, double work, Runnable whenDone) {
    workLeft += believedWork;
    bytesToCome += believedBytes;
    pool.run(
        work,
        () -> {
          workLeft -= believedWork;
          bytesToCome -= believedBytes;
          workDone += work;
          whenDone.run();
        });
  }

  /** Plans that run or wait. */
  int plans() {
    return pool.tasks();
  }

  /** What is believed of their work, in core-seconds. */
  double workLeft() {
    // What is added and taken away again need not be nothing to the last digit.
    return Math.max(0, workLeft);
  }

  /** What is believed of the bytes that they leave. */
  double bytesToCome() {
    return Math.max(0, bytesToCome);
  }

  /** Core-seconds of the plans that are done. */
  double workDone() {
    return workDone;
  }

  ClusterLoad load() {
    return ClusterLoad.ofOwnCores(1, cores, plans(), workLeft());
  }
}
