// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.ndpsimulator;

import dev.anemone.evaluation.model.ndpsimulator.PushdownPolicy.Oracle;
import dev.anemone.evaluation.model.ndpsimulator.Query.QueryShape;
import dev.anemone.evaluation.model.ndpsimulator.Simulation.Outcome;
import dev.anemone.ndp.decide.ClusterLoad;
import dev.anemone.ndp.decide.NetworkLoad;
import dev.anemone.ndp.decide.SystemLoad;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;

/** The conditions of the figures and of the grid; all numbers rise, bandwidths are Gbit/s. */
record Scenarios(
    Clusters clusters,
    Splits splits,
    List<Double> gigabits,
    List<Integer> storageCores,
    List<Double> storagePowers,
    List<Integer> concurrent,
    List<Double> selectivities) {

  /** What is read; a split differs from what is believed of it by a part, at most. */
  record Splits(int count, double meanBytes, double variation, long seed) {}

  record Sweep(String title, String axis, String file, List<Scenario> scenarios) {}

  /** Figures 5 (network), 6 (storage side) and 7 (load and data). */
  List<Sweep> sweeps() {
    return List.of(
        overBandwidth("Figure 5a", "figure-5a.png", QueryShape.Q6),
        overBandwidth("Figure 5b", "figure-5b.png", QueryShape.Q1),
        overStorageCores("Figure 6a", "figure-6a.png", QueryShape.Q6),
        overStorageCores("Figure 6b", "figure-6b.png", QueryShape.Q1),
        overStoragePower("Figure 6c", "figure-6c.png", QueryShape.Q1),
        overConcurrentQueries("Figure 7a", "figure-7a.png"),
        overSelectivity("Figure 7b", "figure-7b.png"));
  }

  private Sweep overBandwidth(String figure, String file, QueryShape shape) {
    List<Query> queries = queries(List.of(shape), 1);
    return new Sweep(
        figure + ": " + shape.name() + " over bandwidth",
        "bandwidth between the clusters, Gbit/s",
        file,
        each(gigabits, x -> number(x) + " Gbit/s", clusters::withGigabits, x -> queries));
  }

  private Sweep overStorageCores(String figure, String file, QueryShape shape) {
    List<Query> queries = queries(List.of(shape), 1);
    return new Sweep(
        figure + ": " + shape.name() + " over storage cores",
        "cores for plans on a storage node",
        file,
        each(storageCores, x -> x + " cores", clusters::withStorageCores, x -> queries));
  }

  private Sweep overStoragePower(String figure, String file, QueryShape shape) {
    return new Sweep(
        figure + ": " + shape.name() + " over the power of a storage core",
        "work of a storage core / that of a compute core",
        file,
        each(
            storagePowers,
            x -> "power " + number(x),
            x -> clusters,
            x -> queries(List.of(shape), x)));
  }

  private Sweep overConcurrentQueries(String figure, String file) {
    int splitsOfEach = Math.max(1, splits.count() / QueryShape.ALL.size());
    return new Sweep(
        figure + ": mixed queries at a time",
        "queries at a time",
        file,
        each(
            concurrent,
            x -> x + " queries",
            x -> clusters,
            x ->
                queries(
                    Collections.nCopies(x, QueryShape.ALL).stream()
                        .flatMap(List::stream)
                        .limit(x)
                        .toList(),
                    splitsOfEach,
                    1)));
  }

  private Sweep overSelectivity(String figure, String file) {
    return new Sweep(
        figure + ": a filter over what it keeps",
        "selectivity of the filter",
        file,
        each(
            selectivities,
            x -> "keeps " + number(x),
            x -> clusters,
            x -> queries(List.of(QueryShape.filtering(x)), 1)));
  }

  private static <X extends Number> List<Scenario> each(
      List<X> values,
      Function<X, String> name,
      Function<X, Clusters> clusters,
      Function<X, List<Query>> queries) {
    return values.stream()
        .map(x -> new Scenario(name.apply(x), x.doubleValue(), clusters.apply(x), queries.apply(x)))
        .toList();
  }

  /** Every bandwidth with every storage side, for each query alone and for all at a time. */
  List<Scenario> grid() {
    List<List<QueryShape>> workloads = new ArrayList<>();
    QueryShape.ALL.forEach(shape -> workloads.add(List.of(shape)));
    workloads.add(QueryShape.ALL);
    List<Scenario> grid = new ArrayList<>();
    for (List<QueryShape> workload : workloads) {
      for (double power : storagePowers) {
        List<Query> queries = queries(workload, power);
        for (int cores : storageCores) {
          for (double rate : gigabits) {
            grid.add(
                new Scenario(
                    String.join("+", workload.stream().map(QueryShape::name).toList())
                        + ", %s Gbit/s, %s cores of power %s"
                            .formatted(number(rate), cores, number(power)),
                    0,
                    clusters.withStorageCores(cores).withGigabits(rate),
                    queries));
          }
        }
      }
    }
    return grid;
  }

  private List<Query> queries(List<QueryShape> shapes, double storagePower) {
    return queries(shapes, Math.max(1, splits.count() / shapes.size()), storagePower);
  }

  private List<Query> queries(List<QueryShape> shapes, int splitsOfEach, double storagePower) {
    List<Query> queries = new ArrayList<>();
    for (QueryShape shape : shapes) {
      queries.add(
          Query.generate(
              shape,
              storagePower,
              splitsOfEach,
              splits.meanBytes(),
              splits.variation(),
              splits.seed() + queries.size()));
    }
    return queries;
  }

  private static String number(double value) {
    return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
  }

  record Scenario(String name, double x, Clusters clusters, List<Query> queries) {
    NdpSimulatorFigures.Point simulate() {
      Outcome none = Simulation.run(clusters, queries, PushdownPolicy.none());
      Outcome full = Simulation.run(clusters, queries, PushdownPolicy.full());
      Outcome planned =
          Simulation.run(clusters, queries, PushdownPolicy.planned(clusters, queries));
      Outcome nearData = Simulation.run(clusters, queries, PushdownPolicy.nearData());
      Oracle oracle = Oracle.of(clusters, queries);
      return new NdpSimulatorFigures.Point(
          name,
          x,
          none.meanSeconds(),
          full.meanSeconds(),
          planned.meanSeconds(),
          nearData.meanSeconds(),
          oracle.seconds(),
          oracle.pushed(),
          none.networkBytes(),
          full.networkBytes(),
          nearData.networkBytes(),
          nearData.splitsByPushed());
    }
  }

  /** What is simulated; a transfer sends a chunk before it is the next one's turn. */
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
}
