// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.ndpsimulator;

import dev.anemone.evaluation.lab.simulation.SimulatedTime;
import dev.anemone.evaluation.lab.simulation.SimulatedTime.CorePool;
import dev.anemone.evaluation.lab.simulation.SimulatedTime.SharedLink;
import dev.anemone.evaluation.model.ndpsimulator.PushdownPolicy.Moment;
import dev.anemone.evaluation.model.ndpsimulator.Scenarios.Clusters;
import dev.anemone.ndp.decide.ClusterLoad;
import dev.anemone.ndp.decide.JobCost;
import dev.anemone.ndp.decide.NetworkLoad;
import dev.anemone.ndp.decide.SplitCost;
import dev.anemone.ndp.decide.SystemLoad;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * One run of queries that start together on two clusters. Every split is a task, which takes a core
 * of the compute cluster and keeps it to its end, as on Spark and Tez: it asks the policy, waits
 * for the storage node that holds the split to run what is pushed, fetches what that leaves, and
 * does the rest of the work itself. The tasks of the queries take turns for cores, as under fair
 * scheduling.
 *
 * <p>An instance is used once and by one thread.
 */
final class Simulation {
  private final Clusters clusters;
  private final List<Query> queries;
  private final PushdownPolicy policy;
  private final SimulatedTime time = new SimulatedTime();
  private final List<StorageNode> storage;
  private final CorePool compute;
  private final SharedLink network;
  private final List<SplitCost> meanSplits;
  private final int[] waiting;
  private final double[] querySeconds;
  private final int[] splitsByPushed;

  private Simulation(Clusters clusters, List<Query> queries, PushdownPolicy policy) {
    this.clusters = clusters;
    this.queries = queries;
    this.policy = policy;
    storage =
        Stream.generate(() -> new StorageNode(time, clusters.storageCores()))
            .limit(clusters.storageNodes())
            .toList();
    compute = new CorePool(time, clusters.computeNodes() * clusters.computeCores());
    network = new SharedLink(time, clusters.bytesPerSecond(), clusters.chunkBytes());
    meanSplits = queries.stream().map(Query::meanSplit).toList();
    waiting = queries.stream().mapToInt(query -> query.splits().size()).toArray();
    querySeconds = new double[queries.size()];
    splitsByPushed =
        new int[1 + queries.stream().mapToInt(query -> query.operators().size()).max().orElse(0)];
  }

  static Outcome run(Clusters clusters, List<Query> queries, PushdownPolicy policy) {
    return new Simulation(clusters, queries, policy).run();
  }

  private Outcome run() {
    int longest = Arrays.stream(waiting).max().orElse(0);
    for (int split = 0; split < longest; split++) {
      for (int query = 0; query < queries.size(); query++) {
        if (split < queries.get(query).splits().size()) {
          submit(query, split);
        }
      }
    }
    time.run();
    return new Outcome(
        Arrays.stream(querySeconds).boxed().toList(),
        network.sentBytes(),
        total(StorageNode::workDone),
        Arrays.stream(splitsByPushed).boxed().toList());
  }

  private void submit(int query, int split) {
    StorageNode node = storage.get((split + query) % storage.size());
    compute.take(
        () -> {
          waiting[query]--;
          SplitCost believed = queries.get(query).believed(split);
          SplitCost truth = queries.get(query).splits().get(split);
          int pushed = policy.pushed(query, believed, () -> momentOf(query, node));
          splitsByPushed[pushed]++;
          Runnable fetch = () -> fetch(query, truth, pushed);
          if (pushed == 0) {
            fetch.run();
          } else {
            node.run(
                believed.storageWork(pushed),
                believed.bytesAfter(pushed),
                truth.storageWork(pushed),
                fetch);
          }
        });
  }

  private void fetch(int query, SplitCost split, int pushed) {
    network.send(
        split.bytesAfter(pushed),
        () ->
            time.after(
                split.computeWork(pushed),
                () -> {
                  querySeconds[query] = time.now();
                  compute.giveBack();
                }));
  }

  /** The state as a task sees it that has just taken its core. */
  private Moment momentOf(int query, StorageNode node) {
    int plans = storage.stream().mapToInt(StorageNode::plans).sum();
    return new Moment(
        new JobCost(meanSplits.get(query), waiting[query]),
        new SystemLoad(
            ClusterLoad.ofOwnCores(
                clusters.storageNodes(),
                clusters.storageCores(),
                plans,
                total(StorageNode::workLeft)),
            ClusterLoad.ofOwnCores(
                clusters.computeNodes(), clusters.computeCores(), compute.running() - 1, 0),
            new NetworkLoad(
                clusters.bytesPerSecond(),
                network.transfers() + plans,
                network.bytesLeft() + total(StorageNode::bytesToCome))),
        node.load());
  }

  private double total(ToDoubleFunction<StorageNode> ofNode) {
    return storage.stream().mapToDouble(ofNode).sum();
  }

  /** What came of a simulation, with how many splits had 0, 1, ... operators pushed. */
  record Outcome(
      List<Double> querySeconds,
      double networkBytes,
      double storageCoreSeconds,
      List<Integer> splitsByPushed) {
    double meanSeconds() {
      return querySeconds.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
    }
  }

  /**
   * A storage node: cores that run plans in the order in which they come, and what it tells of
   * them. It can only tell what was believed of a plan when it came. Not thread-safe.
   */
  static final class StorageNode {
    private final CorePool pool;
    private final int cores;
    private double workLeft;
    private double bytesToCome;
    private double workDone;

    StorageNode(SimulatedTime time, int cores) {
      this.cores = cores;
      pool = new CorePool(time, cores);
    }

    /** Runs a plan, of which work in core-seconds and bytes are believed that may be others. */
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

    double workDone() {
      return workDone;
    }

    ClusterLoad load() {
      return ClusterLoad.ofOwnCores(1, cores, plans(), workLeft());
    }
  }
}
