// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.ndp;

import dev.anemone.evaluation.compare.ndp.NdpFigures.NdpPoint;
import dev.anemone.evaluation.lab.ByteSize;
import dev.anemone.evaluation.lab.experiment.ExperimentCommand;
import dev.anemone.evaluation.lab.experiment.ProgramOptions;
import dev.anemone.evaluation.lab.experiment.Runs;
import dev.anemone.evaluation.lab.experiment.TpchOptions;
import dev.anemone.evaluation.lab.neardata.NearDataSides;
import dev.anemone.evaluation.lab.neardata.NearDataSides.Measured;
import dev.anemone.evaluation.lab.neardata.Pushdown;
import dev.anemone.evaluation.lab.process.Arguments;
import dev.anemone.evaluation.lab.report.Charts;
import dev.anemone.examples.tpch.TpchDataSet;
import dev.anemone.examples.tpch.TpchQuery;
import dev.anemone.examples.tpch.TpchTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;
import org.knowm.xchart.CategoryChart;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code evaluation/run ndp}: near-data processing over a throttled network. */
@Command(name = "ndp")
public final class NdpMeasurement extends ExperimentCommand {
  @Option(
      names = "--queries",
      defaultValue = "1,6,12,14,19",
      paramLabel = "LIST",
      description = "Which queries, such as 1,6,12-14.")
  private String queries;

  @Option(
      names = "--bandwidths",
      split = ",",
      defaultValue = "50,200,1000",
      paramLabel = "MBIT/S,...",
      description = "Of the network, for queries that run one at a time.")
  private List<Double> bandwidths;

  @Option(
      names = "--concurrent",
      split = ",",
      defaultValue = "2,5",
      paramLabel = "N,...",
      description = "The first so many queries at a time.")
  private List<Integer> concurrencies;

  @Option(
      names = "--concurrent-bandwidth",
      paramLabel = "MBIT/S",
      description = "Of the network for these.")
  private double concurrentBandwidth = 200;

  @Option(
      names = "--proxy-cores",
      split = ",",
      defaultValue = "1,2",
      paramLabel = "N,...",
      description = "Plans that a proxy runs at a time; single queries have the first number.")
  private List<Integer> proxyCores;

  @Option(names = "--nodes", description = "Data nodes, each with a proxy.")
  private int nodes = 2;

  @Option(
      names = "--block",
      paramLabel = "BYTES",
      description = "Of a block of HDFS, a multiple of 1 MiB.")
  private ByteSize blockBytes = ByteSize.of("16777216");

  @Option(names = "--slots", description = "Tasks of a job at a time.")
  private int slots = 4;

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
      names = "--job-option",
      paramLabel = "OPTION",
      description = "An option of every job, such as --job-option=--ndpEngineMemoryMb=128.")
  private List<String> jobOptions = List.of();

  @Mixin private TpchOptions data = new TpchOptions(1);
  @Mixin private Runs runs = new Runs(3);
  @Mixin private ProgramOptions programs = new ProgramOptions("2g", 300);

  private List<Integer> wanted;

  @Override
  protected void check() {
    wanted = TpchOptions.queries(queries).stream().map(TpchQuery::number).toList();
    require("--nodes", nodes, nodes >= 1, "there must be a data node");
    require("--slots", slots, slots >= 1, "at least one task must run at a time");
    require(
        "--block",
        blockBytes,
        blockBytes.bytes() >= 1 << 20 && blockBytes.bytes() % (1 << 20) == 0,
        "give a multiple of 1048576 bytes");
    requireLeast("--bandwidths", bandwidths, Double.MIN_VALUE, "give more than 0");
    require(
        "--concurrent-bandwidth", concurrentBandwidth, concurrentBandwidth > 0, "give more than 0");
    requireLeast("--proxy-cores", proxyCores, 1, "a proxy needs a core");
    String reason = "there are 1 to " + wanted.size() + " queries";
    requireRange("--concurrent", concurrencies, 1, wanted.size(), reason);
  }

  @Override
  protected boolean measure() throws IOException, InterruptedException {
    NearDataSides.requireAllowed();
    TpchDataSet tables = data.open(evaluation());
    List<NdpFigures.Run> finished;
    try (NearDataSides sides = NearDataSides.start(setUp(), programs())) {
      finished = measure(sides);
    }
    publish(new NdpFigures(data.scale(), nodes, tables.bytes(TpchTable.LINEITEM), finished));
    return true;
  }

  private NearDataSides.SetUp setUp() {
    return new NearDataSides.SetUp(
        directory(),
        data.directory(evaluation()),
        data.scale(),
        wanted,
        blockBytes.bytes(),
        slots,
        programs.deadline());
  }

  private NearDataSides.Programs programs() throws IOException {
    UnaryOperator<List<String>> storage =
        command -> pinned(processors(storageProcessors, true), command);
    return new NearDataSides.Programs(
        evaluation().ownClassPath(),
        programs.jvmOptions(),
        List.of(),
        Arguments.of(jobOptions, programs.nemoOptions()),
        storage,
        Collections.nCopies(nodes, storage),
        command -> pinned(processors(computeProcessors, false), command));
  }

  private List<NdpFigures.Run> measure(NearDataSides sides)
      throws IOException, InterruptedException {
    sides.warmUp(wanted, proxyCores.get(0));
    List<NdpFigures.Run> finished = new ArrayList<>();
    for (NdpPoint point : points()) {
      for (int round = 1; round <= runs.count(); round++) {
        List<Pushdown> order = new ArrayList<>(List.of(Pushdown.values()));
        Collections.rotate(order, round - 1);
        for (Pushdown pushdown : order) {
          sides.prepare(point.condition());
          Measured measured = sides.run(point.condition(), pushdown);
          finished.add(new NdpFigures.Run(point, pushdown, round, measured));
          progress(
              "%s, %s, round %d, %s: %.2f s, %.3f MB, %d splits pushed, %d pushed back",
              point.figure(),
              point.describe(),
              round,
              pushdown.text(),
              measured.seconds(),
              measured.linkBytes() / 1e6,
              measured.splitsPushed(),
              measured.splitsPushedBack());
        }
      }
    }
    return finished;
  }

  /** All points, those with as many proxy cores one after the other. */
  private List<NdpPoint> points() {
    List<NdpPoint> points = new ArrayList<>();
    for (double megabits : bandwidths) {
      for (int query : wanted) {
        points.add(new NdpPoint(NdpPoint.BANDWIDTH, megabits, proxyCores.get(0), List.of(query)));
      }
    }
    for (int cores : proxyCores) {
      for (int count : concurrencies) {
        points.add(
            new NdpPoint(
                NdpPoint.CONCURRENCY, concurrentBandwidth, cores, wanted.subList(0, count)));
      }
    }
    return points;
  }

  private static List<String> pinned(String processors, List<String> command) {
    return processors.isEmpty()
        ? command
        : Arguments.of("taskset", "--cpu-list", processors, command);
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

  private void publish(NdpFigures figures) throws IOException {
    List<String> paragraphs = new ArrayList<>();
    for (String figure : List.of(NdpPoint.BANDWIDTH, NdpPoint.CONCURRENCY)) {
      if (!figures.points(figure).isEmpty()) {
        Path chart = directory().resolve(figure + ".png");
        draw(figures, figure, chart);
        paragraphs.add("By " + figure + ", seconds:\n" + figures.times(figure));
        paragraphs.add("Bytes over the link:\n" + figures.bytes(figure));
        paragraphs.add("Bars: " + chart);
      }
    }
    paragraphs.add(figures.summary());
    publish(
        figures,
        text(
            "TPC-H, scale %s, lineitem %.1f MB; %d data nodes with a proxy each, blocks of %d"
                + " bytes; %d tasks at a time; processors: storage %s, compute %s; rounds: %d",
            NdpFigures.number(figures.scale()),
            figures.lineitemBytes() / 1e6,
            nodes,
            blockBytes.bytes(),
            slots,
            shown(processors(storageProcessors, true)),
            shown(processors(computeProcessors, false)),
            runs.count()),
        paragraphs.toArray());
  }

  private static String shown(String processors) {
    return processors.isEmpty() ? "all" : processors;
  }

  private static void draw(NdpFigures figures, String figure, Path file) throws IOException {
    CategoryChart chart =
        Charts.bars(
            "TPC-H " + NdpFigures.number(figures.scale()) + " by " + figure,
            "queries at Mbit/s, proxy cores",
            "query time, s");
    chart.getStyler().setXAxisLabelRotation(45);
    List<NdpPoint> points = figures.points(figure);
    List<String> names = points.stream().map(NdpMeasurement::name).toList();
    for (Pushdown pushdown : Pushdown.values()) {
      chart.addSeries(
          pushdown.text(),
          names,
          points.stream().map(point -> figures.seconds(point, pushdown)).toList());
    }
    Charts.save(chart, file);
  }

  private static String name(NdpPoint point) {
    String queries =
        point.queries().size() == 1 ? point.queriesText() : point.queries().size() + " queries";
    return queries + " at " + NdpFigures.number(point.megabits()) + ", " + point.proxyCores();
  }
}
