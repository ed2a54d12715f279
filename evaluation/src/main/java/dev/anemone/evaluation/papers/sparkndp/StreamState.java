// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.sparkndp;

import dev.anemone.ndp.decide.ClusterLoad;
import dev.anemone.ndp.decide.NetworkLoad;
import dev.anemone.ndp.decide.SystemLoad;
import java.util.List;

/**
 * The two sides and the network at a moment.
 *
 * @param nodes plans, and work in core-seconds, of each storage node
 * @param computeQueued partitions that run or wait on the compute side
 * @param computeWork core-seconds that the compute side has or will have to do
 * @param transfers of partitions that have begun or will follow from plans
 * @param queryBytes bytes that are still to be sent of each query that has any, in the order of
 *     arrival
 */
record StreamState(
    StreamClusters clusters,
    List<ClusterLoad> nodes,
    int computeQueued,
    double computeWork,
    int transfers,
    List<Double> queryBytes) {

  int storageQueued() {
    return nodes.stream().mapToInt(ClusterLoad::tasks).sum();
  }

  ClusterLoad nodeOf(int partition) {
    return nodes.get(partition % nodes.size());
  }

  SystemLoad load() {
    double work = nodes.stream().mapToDouble(ClusterLoad::workLeft).sum();
    return new SystemLoad(
        ClusterLoad.ofOwnCores(
            clusters.storageNodes(), clusters.coresOfStorageNode(), storageQueued(), work),
        ClusterLoad.ofOwnCores(
            clusters.computeNodes(), clusters.coresOfComputeNode(), computeQueued, computeWork),
        new NetworkLoad(
            clusters.bytesPerSecond(),
            transfers,
            queryBytes.stream().mapToDouble(Double::doubleValue).sum()));
  }

  /** The paper's time for one more query to send bytes, in seconds. */
  double transferSeconds(double bytes, int limit) {
    int active = queryBytes.size() + 1;
    if (active < limit) {
      return bytes * active / clusters.bytesPerSecond();
    }
    // What has to go before there are fewer: the oldest transfers.
    double before =
        queryBytes.stream()
            .limit(Math.max(0, active - limit + 1L))
            .mapToDouble(Double::doubleValue)
            .sum();
    return (before + bytes * limit) / clusters.bytesPerSecond();
  }
}
