// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.ndpsimulator;

import dev.anemone.evaluation.lab.ByteSize;
import dev.anemone.evaluation.lab.experiment.ExperimentCommand;
import dev.anemone.evaluation.lab.report.Charts;
import dev.anemone.evaluation.lab.report.MarkdownTable;
import dev.anemone.evaluation.model.ndpsimulator.NdpSimulatorFigures.Acceptance;
import dev.anemone.evaluation.model.ndpsimulator.NdpSimulatorFigures.Curve;
import dev.anemone.evaluation.model.ndpsimulator.NdpSimulatorFigures.Point;
import dev.anemone.evaluation.model.ndpsimulator.Query.QueryShape;
import dev.anemone.evaluation.model.ndpsimulator.Scenarios.Clusters;
import dev.anemone.evaluation.model.ndpsimulator.Scenarios.Scenario;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.knowm.xchart.XYChart;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code evaluation/run ndp-simulator}: figures and a grid, and how good the model is. */
@Command(name = "ndp-simulator")
public final class NdpSimulator extends ExperimentCommand {
  private static final int WORST = 5;
  private static final double BYTES_PER_GIGABIT = 1e9 / 8;

  @Option(names = "--storage-nodes", description = "Storage nodes.")
  private int storageNodes = 4;

  @Option(names = "--compute-nodes", description = "Compute nodes.")
  private int computeNodes = 4;

  @Option(names = "--compute-cores", description = "Cores of a compute node.")
  private int computeCores = 16;

  @Option(
      names = "--storage-cores",
      defaultValue = "1,2,4,8",
      split = ",",
      paramLabel = "N",
      description = "Cores for plans of a storage node, compared.")
  private List<Integer> storageCores;

  @Option(
      names = "--bandwidths",
      defaultValue = "1,2.5,5,10,25,40",
      split = ",",
      paramLabel = "GBIT",
      description = "Gbit/s between the clusters, compared.")
  private List<Double> gigabits;

  @Option(
      names = "--storage-powers",
      defaultValue = "0.5,1",
      split = ",",
      paramLabel = "X",
      description = "Work of a storage core as a part of a compute core's, compared.")
  private List<Double> storagePowers;

  @Option(
      names = "--queries",
      defaultValue = "1,2,4,8,16",
      split = ",",
      paramLabel = "N",
      description = "Queries at a time, compared.")
  private List<Integer> concurrent;

  @Option(
      names = "--selectivities",
      defaultValue = "0.001,0.01,0.1,0.3,0.6,1",
      split = ",",
      paramLabel = "X",
      description = "What a filter keeps, compared.")
  private List<Double> selectivities;

  @Option(
      names = "--base",
      defaultValue = "4,10",
      split = ",",
      paramLabel = "CORES,GBIT",
      description =
          "Cores for plans of a storage node, and Gbit/s, where something else is compared.")
  private List<Double> base;

  @Option(names = "--splits", defaultValue = "256", description = "Splits of all queries together.")
  private int splits;

  @Option(names = "--split-size", paramLabel = "SIZE", description = "Mean size of a split.")
  private ByteSize splitBytes = ByteSize.of("128m");

  @Option(
      names = "--chunk",
      paramLabel = "SIZE",
      description = "What a transfer sends in its turn.")
  private ByteSize chunkBytes = ByteSize.of("4m");

  @Option(
      names = "--variation",
      defaultValue = "0.2",
      description =
          "The most by which a split's size, work and selectivities differ from the mean, as a"
              + " part.")
  private double variation;

  @Option(names = "--seed", description = "Seed of the variation.")
  private long seed = 1;

  @Override
  protected void check() {
    require("--storage-nodes", storageNodes, storageNodes >= 1, "there must be a node");
    require("--compute-nodes", computeNodes, computeNodes >= 1, "there must be a node");
    require("--compute-cores", computeCores, computeCores >= 1, "a node must have a core");
    require("--splits", splits, splits >= 1, "there must be a split");
    require("--split-size", splitBytes, splitBytes.bytes() >= 1, "a split must have a byte");
    require("--chunk", chunkBytes, chunkBytes.bytes() >= 1, "a chunk must have a byte");
    require("--variation", variation, variation >= 0 && variation < 1, "give 0 or more, below 1");
    requireLeast("--storage-cores", storageCores, 1, "a node must have a core");
    requireLeast("--queries", concurrent, 1, "there must be a query");
    requireLeast("--bandwidths", gigabits, Double.MIN_VALUE, "give more than 0");
    requireLeast("--storage-powers", storagePowers, Double.MIN_VALUE, "give more than 0");
    requireLeast("--selectivities", selectivities, Double.MIN_VALUE, "give more than 0");
    require(
        "--base",
        base,
        base.size() == 2 && base.get(0) >= 1 && base.get(0) % 1 == 0 && base.get(1) > 0,
        "give a number of cores and a bandwidth, such as 4,10");
  }

  private Scenarios scenarios() {
    return new Scenarios(
        new Clusters(
            storageNodes,
            base.get(0).intValue(),
            computeNodes,
            computeCores,
            base.get(1) * BYTES_PER_GIGABIT,
            chunkBytes.bytes()),
        new Scenarios.Splits(splits, splitBytes.bytes(), variation, seed),
        gigabits.stream().sorted().toList(),
        storageCores.stream().sorted().toList(),
        storagePowers.stream().sorted().toList(),
        concurrent.stream().sorted().toList(),
        selectivities.stream().sorted().toList());
  }

  @Override
  protected boolean measure() throws IOException {
    Scenarios scenarios = scenarios();
    List<Curve> curves = new ArrayList<>();
    List<Object> paragraphs = new ArrayList<>();
    for (Scenarios.Sweep sweep : scenarios.sweeps()) {
      Curve curve =
          new Curve(
              sweep.title(),
              sweep.axis(),
              sweep.file(),
              sweep.scenarios().stream().map(Scenario::simulate).toList());
      draw(curve, directory().resolve(curve.file()));
      curves.add(curve);
      paragraphs.add(curve.title() + " (mean query time, s)");
      paragraphs.add(table(curve.points()));
      progress("%s", curve.title());
    }
    List<Point> grid = scenarios.grid().stream().map(Scenario::simulate).toList();
    Acceptance acceptance = Acceptance.of(grid);
    paragraphs.add(
        text(
            "The grid: %d points; those where NearData is furthest from the oracle:",
            acceptance.points()));
    paragraphs.add(
        table(
            grid.stream()
                .sorted(Comparator.comparingDouble(Point::nearDataToOracle).reversed())
                .limit(WORST)
                .toList()));
    paragraphs.add(describe(acceptance));
    paragraphs.add("Plots: " + directory());
    publish(
        new NdpSimulatorFigures(
            storageNodes,
            computeNodes,
            computeCores,
            splits,
            splitBytes.bytes(),
            variation,
            seed,
            curves,
            grid,
            acceptance),
        text(
            "Simulated: %d storage nodes x %d cores for plans, %d compute nodes x %d cores, %.1f"
                + " Gbit/s; %d splits of %.0f MB, variation %.2f, seed %d",
            storageNodes,
            base.get(0).intValue(),
            computeNodes,
            computeCores,
            base.get(1),
            splits,
            splitBytes.bytes() / 1e6,
            variation,
            seed),
        paragraphs.toArray());
    return true;
  }

  private static String describe(Acceptance acceptance) {
    return text(
        "NearData takes %.3f of the oracle's time on average; planned at the start only, %.3f.%n"
            + "%s: within 5 %% of the oracle on average: %.2f %% slower, points where it is faster"
            + " counted as equal; %.1f %% at worst%n"
            + "%s: never slower than the better one of NoPushdown and FullPushdown by more than 5"
            + " %%: %.1f %% at worst",
        acceptance.meanToOracle(),
        acceptance.plannedMeanToOracle(),
        verdict(acceptance.isNearOracle()),
        100 * acceptance.meanLossToOracle(),
        100 * (acceptance.worstToOracle() - 1),
        verdict(acceptance.isNeverWorse()),
        100 * (acceptance.worstToBetterExtreme() - 1));
  }

  private static String verdict(boolean holds) {
    return holds ? "holds" : "DOES NOT HOLD";
  }

  private static MarkdownTable table(List<Point> points) {
    MarkdownTable table =
        new MarkdownTable(
            "; NoPushdown|%.2f; FullPushdown|%.2f; planned|%.2f; NearData|%.2f; "
                + "oracle|%.2f; oracle pushes; NearData's splits by operators pushed; "
                + "NearData / oracle|%.3f");
    for (Point point : points) {
      table.row(
          point.scenario(),
          point.noneSeconds(),
          point.fullSeconds(),
          point.plannedSeconds(),
          point.nearDataSeconds(),
          point.oracleSeconds(),
          numbers(point.oraclePushed().stream().limit(QueryShape.ALL.size()).toList()),
          numbers(point.nearDataSplits()),
          point.nearDataToOracle());
    }
    return table;
  }

  private static String numbers(List<Integer> numbers) {
    return numbers.stream().map(String::valueOf).collect(Collectors.joining(" "));
  }

  private static void draw(Curve curve, Path file) throws IOException {
    XYChart chart = Charts.logarithmicCurves(curve.title(), curve.axis(), "query time, s");
    List<Point> points = curve.points();
    Charts.add(chart, "NoPushdown", points, Point::x, Point::noneSeconds);
    Charts.add(chart, "FullPushdown", points, Point::x, Point::fullSeconds);
    Charts.add(chart, "oracle", points, Point::x, Point::oracleSeconds);
    Charts.add(chart, "NearData", points, Point::x, Point::nearDataSeconds);
    Charts.save(chart, file);
  }
}
