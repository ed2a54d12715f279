// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.ndp;

import dev.anemone.evaluation.lab.ByteSize;
import dev.anemone.evaluation.lab.EvaluationDirectory;
import dev.anemone.evaluation.lab.NemoJvm;
import dev.anemone.evaluation.lab.experiment.ExperimentCommand;
import dev.anemone.examples.tpch.TpchDataSet;
import dev.anemone.examples.tpch.TpchQuery;
import dev.anemone.examples.tpch.TpchSkew;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code evaluation/run ndp}: near-data processing over a throttled network. */
@Command(
    name = "ndp",
    sortOptions = false,
    description =
        "Runs TPC-H queries on HDFS with proxies beside the data nodes, over a throttled network,"
            + " with nothing, filters, filters and projections, or all pushed, and as NearData"
            + " decides. Compares every answer with DuckDB. Prints times and bytes. Needs root.%n")
public final class NdpMeasurement extends ExperimentCommand {
  private static final String DIRECTORY = "ndp";

  @Option(
      names = "--scale",
      defaultValue = "1",
      paramLabel = "X",
      description = "Scale factor of the data (default: ${DEFAULT-VALUE}).")
  private double scale;

  @Option(
      names = "--queries",
      defaultValue = "1,6,12,14,19",
      paramLabel = "LIST",
      description = "Which queries, such as 1,6,12-14 (default: ${DEFAULT-VALUE}).")
  private String queries;

  @Option(
      names = "--bandwidths",
      split = ",",
      defaultValue = "50,200,1000",
      paramLabel = "MBIT/S,...",
      description =
          "Of the network, for queries that run one at a time (default: ${DEFAULT-VALUE}).")
  private List<Double> bandwidths;

  @Option(
      names = "--concurrent",
      split = ",",
      defaultValue = "2,5",
      paramLabel = "N,...",
      description = "The first so many queries at a time (default: ${DEFAULT-VALUE}).")
  private List<Integer> concurrencies;

  @Option(
      names = "--concurrent-bandwidth",
      defaultValue = "200",
      paramLabel = "MBIT/S",
      description = "Of the network for these (default: ${DEFAULT-VALUE}).")
  private double concurrentBandwidth;

  @Option(
      names = "--proxy-cores",
      split = ",",
      defaultValue = "1,2",
      paramLabel = "N,...",
      description =
          "Plans that a proxy runs at a time; single queries have the first number (default:"
              + " ${DEFAULT-VALUE}).")
  private List<Integer> proxyCores;

  @Option(
      names = "--nodes",
      defaultValue = "2",
      paramLabel = "N",
      description = "Data nodes, each with a proxy (default: ${DEFAULT-VALUE}).")
  private int nodes;

  @Option(
      names = "--block",
      converter = ByteSize.class,
      defaultValue = "16777216",
      paramLabel = "BYTES",
      description = "Of a block of HDFS, a multiple of 1 MiB (default: ${DEFAULT-VALUE}).")
  private long blockBytes;

  @Option(
      names = "--slots",
      defaultValue = "4",
      paramLabel = "N",
      description = "Tasks of a job at a time (default: ${DEFAULT-VALUE}).")
  private int slots;

  @Option(
      names = "--runs",
      defaultValue = "3",
      paramLabel = "N",
      description = "How often each pushdown runs at each point (default: ${DEFAULT-VALUE}).")
  private int runs;

  @Option(
      names = "--storage-cpus",
      paramLabel = "LIST",
      description =
          "Processors of HDFS and the proxies, as taskset takes them, or all (default: the second"
              + " half).")
  private String storageProcessors;

  @Option(
      names = "--compute-cpus",
      paramLabel = "LIST",
      description = "Processors of the jobs, likewise (default: the first half).")
  private String computeProcessors;

  @Option(
      names = "--heap",
      defaultValue = "2g",
      paramLabel = "SIZE",
      description = "Largest heap of both JVMs, as -Xmx takes it (default: ${DEFAULT-VALUE}).")
  private String heap;

  @Option(
      names = "--job-option",
      paramLabel = "OPTION",
      description = "An option of every job, such as --job-option=--ndpEngineMemoryMb=128.")
  private List<String> jobOptions = List.of();

  @Option(
      names = "--deadline",
      defaultValue = "300",
      paramLabel = "SECONDS",
      description = "After which a run has failed (default: ${DEFAULT-VALUE}).")
  private int deadlineSeconds;

  @Override
  protected boolean measure() throws IOException, InterruptedException {
    List<Integer> wanted = checked();
    EvaluationDirectory evaluation = EvaluationDirectory.ofLauncher();
    List<String> jvmOptions = NemoJvm.options(heap);
    NdpPlan plan =
        new NdpPlan(
            evaluation.results(DIRECTORY),
            evaluation.results("tpch").resolve(TpchDataSet.name(scale, TpchSkew.NONE)),
            scale,
            nodes,
            blockBytes,
            slots,
            wanted,
            bandwidths,
            concurrencies,
            proxyCores,
            concurrentBandwidth,
            runs,
            processors(storageProcessors, true),
            processors(computeProcessors, false),
            jobOptions,
            evaluation.ownClassPath(),
            jvmOptions,
            Duration.ofSeconds(deadlineSeconds));
    new NdpExperiment(plan, out(), err()).run();
    return true;
  }

  /** What both sides have at their disposal should not depend on what the other one does. */
  private static String processors(String given, boolean secondHalf) {
    if (given != null) {
      return given.equals("all") ? "" : given;
    }
    int count = Runtime.getRuntime().availableProcessors();
    int half = count / 2;
    if (half == 0) {
      return "";
    }
    return secondHalf ? half + "-" + (count - 1) : "0-" + (half - 1);
  }

  private List<Integer> checked() {
    List<Integer> wanted;
    try {
      TpchDataSet.check(scale, TpchSkew.NONE);
      wanted = TpchQuery.parse(queries).stream().map(TpchQuery::number).toList();
    } catch (IllegalArgumentException e) {
      throw wrong(e.getMessage().replace("--query=", "--queries="), e);
    }
    require("--runs", runs, runs >= 1, "a pushdown must run at least once");
    require("--nodes", nodes, nodes >= 1, "there must be a data node");
    require("--slots", slots, slots >= 1, "at least one task must run at a time");
    require(
        "--block",
        blockBytes,
        blockBytes >= 1 << 20 && blockBytes % (1 << 20) == 0,
        "give a multiple of 1048576 bytes");
    for (double bandwidth : bandwidths) {
      require("--bandwidths", bandwidth, bandwidth > 0, "give more than 0");
    }
    require(
        "--concurrent-bandwidth", concurrentBandwidth, concurrentBandwidth > 0, "give more than 0");
    for (int cores : proxyCores) {
      require("--proxy-cores", cores, cores >= 1, "a proxy needs a core");
    }
    for (int count : concurrencies) {
      require(
          "--concurrent",
          count,
          count >= 1 && count <= wanted.size(),
          "there are 1 to " + wanted.size() + " queries");
    }
    return wanted;
  }
}
