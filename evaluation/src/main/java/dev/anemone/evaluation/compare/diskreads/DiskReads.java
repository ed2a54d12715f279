// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.diskreads;

import dev.anemone.evaluation.lab.ByteSize;
import dev.anemone.evaluation.lab.experiment.ExperimentCommand;
import dev.anemone.evaluation.lab.experiment.ProgramOptions;
import dev.anemone.evaluation.lab.process.ReportingProcess.Reported;
import dev.anemone.evaluation.lab.report.Charts;
import dev.anemone.evaluation.lab.report.MarkdownTable;
import dev.anemone.evaluation.lab.workload.PolicyOptions.Side;
import dev.anemone.evaluation.lab.workload.ShuffleWorkload.WorkloadReport;
import dev.anemone.evaluation.lab.workload.SyntheticRecords.ShuffleShape;
import dev.anemone.evaluation.lab.workload.WorkloadProcess;
import java.awt.BasicStroke;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.function.ToLongFunction;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.markers.SeriesMarkers;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code evaluation/run disk-reads}: how the disk reads of a shuffle grow with its tasks. */
@Command(name = "disk-reads")
public final class DiskReads extends ExperimentCommand {
  static final String CHART_FILE = "seeks.png";

  private static final BasicStroke DASHED =
      new BasicStroke(1, BasicStroke.CAP_BUTT, BasicStroke.JOIN_MITER, 10, new float[] {4, 4}, 0);

  @Option(
      names = "--parallelism",
      defaultValue = "50,200,500",
      split = ",",
      paramLabel = "LIST",
      description = "Producers, and as many consumers, of each shuffle.")
  private List<Integer> parallelisms;

  @Option(
      names = "--bytes-per-block",
      paramLabel = "SIZE",
      description = "What every producer has for every consumer, on average.")
  private ByteSize bytesPerBlock = ByteSize.of("2k");

  @Option(names = "--seed", description = "Seed of the records.")
  private long seed = 1;

  @Mixin private ProgramOptions programs = new ProgramOptions("2g", 900);

  record Figures(long bytesPerBlock, List<Run> runs) {}

  /**
   * @param reads of local files by the consumers
   * @param seeks those of them that did not go on where the one before had ended
   * @param seeksBefore seeks of aggregation tasks, for what could not be pushed to them
   * @param pushedBytes bytes that went to aggregation tasks without a file
   * @param fallenBackBytes bytes that should have, and did not
   */
  record Run(
      String policy,
      int producers,
      int consumers,
      long shuffledBytes,
      double wallSeconds,
      long reads,
      long seeks,
      long readBytes,
      long seeksBefore,
      long pushedBytes,
      long fallenBackBytes,
      SortedMap<String, SortedMap<String, Long>> edges) {
    static Run of(Side side, ShuffleShape shape, Reported<WorkloadReport> reported) {
      WorkloadReport report = reported.report();
      long seeks = report.ofConsumers("diskSeeks");
      return new Run(
          side.policy(),
          shape.producers(),
          shape.consumers(),
          shape.bytes(),
          reported.cost().wallSeconds(),
          report.ofConsumers("diskReads"),
          seeks,
          report.ofConsumers("diskReadBytes"),
          report.total("diskSeeks") - seeks,
          report.total("pushedBytes"),
          report.total("fallenBackBytes"),
          report.edges());
    }

    long blocks() {
      return (long) producers * consumers;
    }
  }

  @Override
  protected void check() {
    requireLeast("--parallelism", parallelisms, 1, "a shuffle needs at least one task");
  }

  @Override
  protected boolean measure() throws IOException, InterruptedException {
    WorkloadProcess process = new WorkloadProcess(programs.process(directory(), evaluation()));
    List<Run> runs = new ArrayList<>();
    for (int tasks : parallelisms) {
      ShuffleShape shape =
          ShuffleShape.ofBytes(tasks, tasks, (long) tasks * tasks * bytesPerBlock.bytes(), seed);
      for (Side side : Side.both(programs.nemoOptions())) {
        Run run =
            Run.of(
                side,
                shape,
                process.shuffle(side.policy() + "-" + tasks, shape, side.runnerOptions()));
        runs.add(run);
        progress(
            "%d x %d, %s: %,d seeks, %.2f s",
            tasks, tasks, side.policy(), run.seeks(), run.wallSeconds());
      }
    }
    Path chart = directory().resolve(CHART_FILE);
    draw(runs, chart);
    publish(
        new Figures(bytesPerBlock.bytes(), runs),
        text(
            "Disk reads of a shuffle, %,d bytes from each producer for each consumer",
            bytesPerBlock.bytes()),
        table(runs),
        "Curves: " + chart);
    return true;
  }

  private static MarkdownTable table(List<Run> runs) {
    MarkdownTable table =
        new MarkdownTable(
            "policy; producers P; consumers C; P x C|%,d; MB|%.1f; consumers' reads|%,d; "
                + "their seeks|%,d; MB read|%.1f; seeks before|%,d; MB fallen back|%.1f");
    for (Run run : runs) {
      table.row(
          run.policy(),
          run.producers(),
          run.consumers(),
          run.blocks(),
          run.shuffledBytes() / 1e6,
          run.reads(),
          run.seeks(),
          run.readBytes() / 1e6,
          run.seeksBefore(),
          run.fallenBackBytes() / 1e6);
    }
    return table;
  }

  /** Draws how the seeks of each policy grow, both axes logarithmic, beside P x C and C. */
  static void draw(List<Run> runs, Path file) throws IOException {
    XYChart chart =
        Charts.logarithmicCurves(
            "Disk seeks of the consumers of a shuffle", "producers = consumers", "seeks");
    List<String> policies = runs.stream().map(Run::policy).distinct().toList();
    for (String policy : policies) {
      add(chart, policy, of(runs, policy), Run::seeks);
    }
    List<Run> shapes = of(runs, policies.get(0));
    asReference(add(chart, "P x C", shapes, Run::blocks));
    asReference(add(chart, "C", shapes, Run::consumers));
    Charts.save(chart, file);
  }

  private static List<Run> of(List<Run> runs, String policy) {
    return runs.stream().filter(run -> run.policy().equals(policy)).toList();
  }

  private static XYSeries add(
      XYChart chart, String name, List<Run> runs, ToLongFunction<Run> value) {
    // No logarithm is as small as that of no seek at all.
    return Charts.add(
        chart, name, runs, Run::consumers, run -> Math.max(1, value.applyAsLong(run)));
  }

  private static void asReference(XYSeries series) {
    series.setMarker(SeriesMarkers.NONE);
    series.setLineStyle(DASHED).setLineColor(Color.GRAY);
  }
}
