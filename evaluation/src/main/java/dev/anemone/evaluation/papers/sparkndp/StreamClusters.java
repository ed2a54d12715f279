// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.sparkndp;

import dev.anemone.ndp.decide.OperatorCost;

/**
 * The two clusters and the network between them.
 *
 * @param hertz of a core of the compute side
 * @param storageEfficiency work of a storage core as a part of a compute core's
 */
record StreamClusters(
    int computeNodes,
    int coresOfComputeNode,
    int storageNodes,
    int coresOfStorageNode,
    double hertz,
    double storageEfficiency,
    double bytesPerSecond) {

  private static final double BYTES_PER_GIGABIT = 1e9 / 8;

  /** Those of Table I, with 1 to 4 cores in each storage node. */
  static StreamClusters ofTableOne(int coresOfStorageNode) {
    return new StreamClusters(35, 2, 4, coresOfStorageNode, 2.27e9, 1, 4 * BYTES_PER_GIGABIT);
  }

  /** Those of Figure 7; cores and network are not given there. */
  static StreamClusters ofFigureSeven(double storageEfficiency) {
    return new StreamClusters(150, 2, 50, 2, 2.27e9, storageEfficiency, 40 * BYTES_PER_GIGABIT);
  }

  int computeCores() {
    return computeNodes * coresOfComputeNode;
  }

  int storageCores() {
    return storageNodes * coresOfStorageNode;
  }

  /**
   * An operator on these clusters.
   *
   * @param selectivity what it leaves of its input, as a part; more than 1 where it makes more
   * @param cyclesPerByte of its input
   */
  OperatorCost operator(String name, double selectivity, double cyclesPerByte) {
    double seconds = cyclesPerByte / hertz;
    return new OperatorCost(name, selectivity, seconds / storageEfficiency, seconds);
  }
}
