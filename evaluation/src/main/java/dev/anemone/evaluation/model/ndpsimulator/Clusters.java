// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.ndpsimulator;

import dev.anemone.ndp.decide.ClusterLoad;
import dev.anemone.ndp.decide.NetworkLoad;
import dev.anemone.ndp.decide.SystemLoad;

/**
 * What is simulated.
 *
 * @param storageNodes that hold the splits, in turn
 * @param storageCores cores of each storage node that run plans
 * @param computeNodes that run the tasks
 * @param computeCores cores of each compute node; one for a task
 * @param bytesPerSecond bandwidth between the two clusters
 * @param chunkBytes what a transfer sends before it is the next one's turn
 */
record Clusters(
    int storageNodes,
    int storageCores,
    int computeNodes,
    int computeCores,
    double bytesPerSecond,
    double chunkBytes) {

  /** The same with another network, in Gbit/s. */
  Clusters withGigabits(double gigabits) {
    return new Clusters(
        storageNodes, storageCores, computeNodes, computeCores, gigabits * 1e9 / 8, chunkBytes);
  }

  /** The same with another number of cores for plans on each storage node. */
  Clusters withStorageCores(int cores) {
    return new Clusters(
        storageNodes, cores, computeNodes, computeCores, bytesPerSecond, chunkBytes);
  }

  /** As the cost model sees them before anything runs. */
  SystemLoad idle() {
    return new SystemLoad(
        ClusterLoad.ofOwnCores(storageNodes, storageCores, 0, 0),
        ClusterLoad.ofOwnCores(computeNodes, computeCores, 0, 0),
        new NetworkLoad(bytesPerSecond, 0, 0));
  }
}
