// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.sparkndp;

import dev.anemone.evaluation.lab.simulation.SimulatedTime;
import dev.anemone.evaluation.lab.simulation.SimulatedTime.CorePool;
import dev.anemone.ndp.decide.ClusterLoad;
import dev.anemone.ndp.decide.SplitCost;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Queries that arrive one after the other, as the paper's simulator has them: a partition goes
 * through the storage node that holds it, if anything is pushed, then through the network, then
 * through a core of the compute side. Cores serve the oldest query first, as Spark's do when
 * nothing else is set, so that a partition that comes late from the storage side does not wait for
 * those of later queries.
 *
 * <p>Used once, by one thread.
 */
final class StreamSimulation {

  private final StreamClusters clusters;
  private final List<StreamQuery> queries;
  private final StreamPolicy policy;
  private final SimulatedTime time = new SimulatedTime();
  private final List<Node> nodes;
  private final CorePool compute;
  private final StreamNetwork network;
  private final double[] queryBytes;
  private final int[] left;
  private final double[] seconds;
  private double computeWork;
  private int transfers;

  private StreamSimulation(
      StreamClusters clusters, List<StreamQuery> queries, StreamPolicy policy) {
    this.clusters = clusters;
    this.queries = queries;
    this.policy = policy;
    nodes =
        Stream.generate(() -> new Node(new CorePool(time, clusters.coresOfStorageNode())))
            .limit(clusters.storageNodes())
            .toList();
    compute = new CorePool(time, clusters.computeCores());
    network = new StreamNetwork(time, clusters.bytesPerSecond(), StreamFigure.TRANSFER_LIMIT);
    queryBytes = new double[queries.size()];
    left = queries.stream().mapToInt(query -> query.partitions().size()).toArray();
    seconds = new double[queries.size()];
  }

  /**
   * Runs queries to the end of the last.
   *
   * @param gap seconds between two arrivals
   * @return the mean time of a query from its arrival to its end, in seconds
   */
  static double meanSeconds(
      StreamClusters clusters, List<StreamQuery> queries, double gap, StreamPolicy policy) {
    StreamSimulation simulation = new StreamSimulation(clusters, queries, policy);
    for (int query = 0; query < queries.size(); query++) {
      int arriving = query;
      simulation.time.after(query * gap, () -> simulation.arrive(arriving));
    }
    simulation.time.run();
    return Arrays.stream(simulation.seconds).average().orElseThrow();
  }

  private void arrive(int query) {
    seconds[query] = -time.now();
    StreamPolicy.Decisions decisions = policy.arrives(queries.get(query), state());
    for (int partition = 0; partition < queries.get(query).partitions().size(); partition++) {
      start(query, partition, decisions.pushed(partition, this::state));
    }
  }

  private void start(int query, int partition, int pushed) {
    SplitCost cost = queries.get(query).partition(partition);
    double bytes = cost.bytesAfter(pushed);
    queryBytes[query] += bytes;
    computeWork += cost.computeWork(pushed);
    transfers++;
    Runnable send = () -> network.send(query, bytes, () -> received(query, bytes, cost, pushed));
    if (pushed == 0) {
      send.run();
    } else {
      nodes.get(partition % nodes.size()).run(query, cost.storageWork(pushed), send);
    }
  }

  private void received(int query, double bytes, SplitCost cost, int pushed) {
    queryBytes[query] -= bytes;
    transfers--;
    double work = cost.computeWork(pushed);
    compute.run(
        query,
        work,
        () -> {
          computeWork -= work;
          left[query]--;
          if (left[query] == 0) {
            seconds[query] += time.now();
          }
        });
  }

  private StreamState state() {
    List<Double> toSend = new ArrayList<>();
    for (double bytes : queryBytes) {
      // What is added and taken away again need not be nothing to the last digit.
      if (bytes > 1) {
        toSend.add(bytes);
      }
    }
    return new StreamState(
        clusters,
        nodes.stream().map(node -> node.load(clusters.coresOfStorageNode())).toList(),
        compute.tasks(),
        Math.max(0, computeWork),
        transfers,
        toSend);
  }

  /** A storage node, and the work of the plans that it has. */
  private static final class Node {
    private final CorePool pool;
    private double workLeft;

    Node(CorePool pool) {
      this.pool = pool;
    }

    void run(int query, double work, Runnable whenDone) {
      workLeft += work;
      pool.run(
          query,
          work,
          () -> {
            workLeft -= work;
            whenDone.run();
          });
    }

    ClusterLoad load(int cores) {
      return ClusterLoad.ofOwnCores(1, cores, pool.tasks(), Math.max(0, workLeft));
    }
  }
}
