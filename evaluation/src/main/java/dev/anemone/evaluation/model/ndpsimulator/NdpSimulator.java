// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.ndpsimulator;

import dev.anemone.evaluation.lab.ByteSize;
import dev.anemone.evaluation.lab.EvaluationDirectory;
import dev.anemone.evaluation.lab.experiment.ExperimentCommand;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code evaluation/run ndp-simulator}. */
@Command(
    name = "ndp-simulator",
    sortOptions = false,
    description = {
      "Simulates queries on a storage and a compute cluster: the policies of near-data processing"
          + " over bandwidth, storage cores, concurrent queries and selectivity.",
      ""
    },
    optionListHeading = "Options:%n")
public final class NdpSimulator extends ExperimentCommand {
  private static final double BYTES_PER_GIGABIT = 1e9 / 8;

  @Option(
      names = "--storage-nodes",
      defaultValue = "4",
      paramLabel = "N",
      description = "Storage nodes (default: ${DEFAULT-VALUE}).")
  private int storageNodes;

  @Option(
      names = "--compute-nodes",
      defaultValue = "4",
      paramLabel = "N",
      description = "Compute nodes (default: ${DEFAULT-VALUE}).")
  private int computeNodes;

  @Option(
      names = "--compute-cores",
      defaultValue = "16",
      paramLabel = "N",
      description = "Cores of a compute node (default: ${DEFAULT-VALUE}).")
  private int computeCores;

  @Option(
      names = "--storage-cores",
      defaultValue = "1,2,4,8",
      split = ",",
      paramLabel = "N",
      description = "Cores for plans of a storage node, compared (default: ${DEFAULT-VALUE}).")
  private List<Integer> storageCores;

  @Option(
      names = "--bandwidths",
      defaultValue = "1,2.5,5,10,25,40",
      split = ",",
      paramLabel = "GBIT",
      description = "Gbit/s between the clusters, compared (default: ${DEFAULT-VALUE}).")
  private List<Double> gigabits;

  @Option(
      names = "--storage-powers",
      defaultValue = "0.5,1",
      split = ",",
      paramLabel = "X",
      description =
          "Work of a storage core as a part of a compute core's, compared"
              + " (default: ${DEFAULT-VALUE}).")
  private List<Double> storagePowers;

  @Option(
      names = "--queries",
      defaultValue = "1,2,4,8,16",
      split = ",",
      paramLabel = "N",
      description = "Queries at a time, compared (default: ${DEFAULT-VALUE}).")
  private List<Integer> concurrent;

  @Option(
      names = "--selectivities",
      defaultValue = "0.001,0.01,0.1,0.3,0.6,1",
      split = ",",
      paramLabel = "X",
      description = "What a filter keeps, compared (default: ${DEFAULT-VALUE}).")
  private List<Double> selectivities;

  @Option(
      names = "--base",
      defaultValue = "4,10",
      split = ",",
      paramLabel = "CORES,GBIT",
      description =
          "Cores for plans of a storage node, and Gbit/s, where something else is compared"
              + " (default: ${DEFAULT-VALUE}).")
  private List<Double> base;

  @Option(
      names = "--splits",
      defaultValue = "256",
      paramLabel = "N",
      description = "Splits of all queries together (default: ${DEFAULT-VALUE}).")
  private int splits;

  @Option(
      names = "--split-size",
      defaultValue = "128m",
      converter = ByteSize.class,
      paramLabel = "SIZE",
      description = "Mean size of a split (default: ${DEFAULT-VALUE}).")
  private long splitBytes;

  @Option(
      names = "--chunk",
      defaultValue = "4m",
      converter = ByteSize.class,
      paramLabel = "SIZE",
      description = "What a transfer sends in its turn (default: ${DEFAULT-VALUE}).")
  private long chunkBytes;

  @Option(
      names = "--variation",
      defaultValue = "0.2",
      paramLabel = "X",
      description =
          "The most by which a split's size, work and selectivities differ from the mean, as a"
              + " part (default: ${DEFAULT-VALUE}).")
  private double variation;

  @Option(
      names = "--seed",
      defaultValue = "1",
      paramLabel = "N",
      description = "Seed of the variation (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Override
  protected boolean measure() throws IOException {
    require("--storage-nodes", storageNodes, storageNodes >= 1, "there must be a node");
    require("--compute-nodes", computeNodes, computeNodes >= 1, "there must be a node");
    require("--compute-cores", computeCores, computeCores >= 1, "a node must have a core");
    require("--splits", splits, splits >= 1, "there must be a split");
    require("--split-size", splitBytes, splitBytes >= 1, "a split must have a byte");
    require("--chunk", chunkBytes, chunkBytes >= 1, "a chunk must have a byte");
    require("--variation", variation, variation >= 0 && variation < 1, "give 0 or more, below 1");
    requireAll("--storage-cores", storageCores, 1, "a node must have a core");
    requireAll("--queries", concurrent, 1, "there must be a query");
    requireAll("--bandwidths", gigabits, Double.MIN_VALUE, "give more than 0");
    requireAll("--storage-powers", storagePowers, Double.MIN_VALUE, "give more than 0");
    requireAll("--selectivities", selectivities, Double.MIN_VALUE, "give more than 0");
    require(
        "--base",
        base,
        base.size() == 2 && base.get(0) >= 1 && base.get(0) % 1 == 0 && base.get(1) > 0,
        "give a number of cores and a bandwidth, such as 4,10");
    NdpSimulatorPlan plan =
        new NdpSimulatorPlan(
            EvaluationDirectory.ofLauncher().results("ndp-simulator"),
            new Clusters(
                storageNodes,
                base.get(0).intValue(),
                computeNodes,
                computeCores,
                base.get(1) * BYTES_PER_GIGABIT,
                chunkBytes),
            splits,
            splitBytes,
            variation,
            seed,
            gigabits.stream().sorted().toList(),
            storageCores.stream().sorted().toList(),
            storagePowers.stream().sorted().toList(),
            concurrent.stream().sorted().toList(),
            selectivities.stream().sorted().toList());
    new NdpSimulatorExperiment(plan, out()).run();
    return true;
  }

  private void requireAll(String option, List<? extends Number> values, double least, String what) {
    for (Number value : values) {
      require(option, value, value.doubleValue() >= least, what);
    }
  }
}
