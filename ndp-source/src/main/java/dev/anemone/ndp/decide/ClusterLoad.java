// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.decide;

/**
 * One side at a moment: the whole cluster, or one node of it.
 *
 * @param nodes at least 1
 * @param coresPerNode cores of each node that may run such work, at least 1: on the storage side
 *     those that its proxy keeps for plans
 * @param tasks queue length: what runs or waits there now, of all jobs
 * @param workLeft core-seconds of those tasks together, as far as is known; 0 where it is not
 * @param drainRate core-seconds of work that all the cores together get done in a second while none
 *     is idle: their number, or what was measured where they share a machine with others
 */
public record ClusterLoad(
    int nodes, int coresPerNode, int tasks, double workLeft, double drainRate) {

  /**
   * Checks the figures.
   *
   * @throws IllegalArgumentException if there is no node, no core, a negative queue, or a drain
   *     rate that is not positive
   */
  public ClusterLoad {
    Figures.requirePositive("The number of nodes", nodes);
    Figures.requirePositive("The number of cores of a node", coresPerNode);
    Figures.requireNotNegative("A queue's length", tasks);
    Figures.requireNotNegative("The work left in a queue", workLeft);
    Figures.requirePositive("A drain rate", drainRate);
  }

  /** A side whose cores do nothing else. */
  public static ClusterLoad ofOwnCores(int nodes, int coresPerNode, int tasks, double workLeft) {
    return new ClusterLoad(nodes, coresPerNode, tasks, workLeft, (double) nodes * coresPerNode);
  }

  /** Cores of all nodes. */
  public int cores() {
    return Math.multiplyExact(nodes, coresPerNode);
  }

  /**
   * {@code Tc(Q, X)}: seconds that one task more takes here. Beyond a task for each core it is the
   * time in which the queue would drain if all in it did the same work: how long it is says how
   * many others a core-second taken here holds up.
   *
   * @param work of that task, core-seconds
   */
  double seconds(double work) {
    return work * Math.max(cores(), tasks + 1.0) / drainRate;
  }

  /** Seconds that one core needs for work. */
  double secondsAlone(double work) {
    return work * cores() / drainRate;
  }
}
