// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.ndpsimulator;

import dev.anemone.evaluation.lab.report.FiguresFile;
import dev.anemone.evaluation.lab.report.MarkdownTable;
import dev.anemone.evaluation.model.ndpsimulator.NdpSimulatorFigures.Acceptance;
import dev.anemone.evaluation.model.ndpsimulator.NdpSimulatorFigures.Curve;
import dev.anemone.evaluation.model.ndpsimulator.NdpSimulatorFigures.Point;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Simulates the figures and the grid, and says whether the model is as good as it must be. */
final class NdpSimulatorExperiment {
  /** The raw figures, in the directory of the experiment. */
  static final String FIGURES_FILE = "figures.json";

  private static final int WORST = 5;

  private final NdpSimulatorPlan plan;
  private final PrintWriter out;

  /**
   * @param out for the tables
   */
  NdpSimulatorExperiment(NdpSimulatorPlan plan, PrintWriter out) {
    this.plan = plan;
    this.out = out;
  }

  /**
   * Simulates all, prints the tables, draws the plots, and writes the raw figures.
   *
   * @throws IOException if a file cannot be written
   */
  NdpSimulatorFigures run() throws IOException {
    Files.createDirectories(plan.directory());
    Scenarios scenarios = new Scenarios(plan);
    Clusters clusters = plan.clusters();
    out.printf(
        Locale.ROOT,
        "Simulated: %d storage nodes x %d cores for plans, %d compute nodes x %d cores, %.1f"
            + " Gbit/s; %d splits of %.0f MB, variation %.2f, seed %d%n",
        clusters.storageNodes(),
        clusters.storageCores(),
        clusters.computeNodes(),
        clusters.computeCores(),
        clusters.bytesPerSecond() * 8 / 1e9,
        plan.splits(),
        plan.splitBytes() / 1e6,
        plan.variation(),
        plan.seed());
    List<Curve> curves = new ArrayList<>();
    for (Scenarios.Sweep sweep : scenarios.sweeps()) {
      Curve curve =
          new Curve(
              sweep.title(),
              sweep.axis(),
              sweep.file(),
              sweep.scenarios().stream().map(Scenario::simulate).toList());
      PolicyChart.draw(curve, plan.directory().resolve(curve.file()));
      curves.add(curve);
      out.printf("%n%s (mean query time, s)%n%n%s", curve.title(), table(curve.points()));
      out.flush();
    }
    List<Point> grid = scenarios.grid().stream().map(Scenario::simulate).toList();
    NdpSimulatorFigures figures =
        new NdpSimulatorFigures(
            clusters.storageNodes(),
            clusters.computeNodes(),
            clusters.computeCores(),
            plan.splits(),
            plan.splitBytes(),
            plan.variation(),
            plan.seed(),
            curves,
            grid,
            Acceptance.of(grid));
    Path file = plan.directory().resolve(FIGURES_FILE);
    FiguresFile.write(file, figures);
    print(figures, file);
    return figures;
  }

  private void print(NdpSimulatorFigures figures, Path file) {
    Acceptance acceptance = figures.acceptance();
    List<Point> worst =
        figures.grid().stream()
            .sorted(Comparator.comparingDouble(Point::nearDataToOracle).reversed())
            .limit(WORST)
            .toList();
    out.printf(
        Locale.ROOT,
        "%nThe grid: %d points; those where NearData is furthest from the oracle:%n%n%s%n",
        acceptance.points(),
        table(worst));
    out.printf(
        Locale.ROOT,
        "NearData takes %.3f of the oracle's time on average; planned at the start only, %.3f.%n",
        acceptance.meanToOracle(),
        acceptance.plannedMeanToOracle());
    out.printf(
        Locale.ROOT,
        "%s: within 5 %% of the oracle on average: %.2f %% slower, points where it is faster"
            + " counted as equal; %.1f %% at worst%n",
        verdict(acceptance.isNearOracle()),
        100 * acceptance.meanLossToOracle(),
        100 * (acceptance.worstToOracle() - 1));
    out.printf(
        Locale.ROOT,
        "%s: never slower than the better one of NoPushdown and FullPushdown by more than 5 %%:"
            + " %.1f %% at worst%n",
        verdict(acceptance.isNeverWorse()),
        100 * (acceptance.worstToBetterExtreme() - 1));
    out.printf("Plots: %s%nRaw figures: %s%n", plan.directory(), file);
    out.flush();
  }

  private static String verdict(boolean holds) {
    return holds ? "holds" : "DOES NOT HOLD";
  }

  private static MarkdownTable table(List<Point> points) {
    MarkdownTable table =
        new MarkdownTable(
            "",
            "NoPushdown",
            "FullPushdown",
            "planned",
            "NearData",
            "oracle",
            "oracle pushes",
            "NearData's splits by operators pushed",
            "NearData / oracle");
    for (Point point : points) {
      table.row(
          point.scenario(),
          seconds(point.noneSeconds()),
          seconds(point.fullSeconds()),
          seconds(point.plannedSeconds()),
          seconds(point.nearDataSeconds()),
          seconds(point.oracleSeconds()),
          numbers(point.oraclePushed().stream().limit(QueryShape.ALL.size()).toList()),
          numbers(point.nearDataSplits()),
          String.format(Locale.ROOT, "%.3f", point.nearDataToOracle()));
    }
    return table;
  }

  private static String seconds(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }

  private static String numbers(List<Integer> numbers) {
    return numbers.stream().map(String::valueOf).collect(Collectors.joining(" "));
  }
}
