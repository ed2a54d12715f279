// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.skewq10;

import dev.anemone.evaluation.compare.skewq10.QueryProgram.QueryReport;
import dev.anemone.evaluation.compare.skewq10.SkewQ10Figures.Condition;
import dev.anemone.evaluation.compare.skewq10.SkewQ10Figures.Run;
import dev.anemone.evaluation.lab.ByteSize;
import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.lab.edges.EdgeFigures;
import dev.anemone.evaluation.lab.experiment.ExperimentCommand;
import dev.anemone.evaluation.lab.experiment.ProgramOptions;
import dev.anemone.evaluation.lab.experiment.Runs;
import dev.anemone.evaluation.lab.experiment.TpchOptions;
import dev.anemone.evaluation.lab.process.Arguments;
import dev.anemone.evaluation.lab.process.ReportingProcess;
import dev.anemone.evaluation.lab.process.ReportingProcess.Reported;
import dev.anemone.evaluation.lab.process.ReportingProcess.Setting;
import dev.anemone.evaluation.lab.report.Charts;
import dev.anemone.evaluation.lab.report.Circumstances.Machine;
import dev.anemone.evaluation.lab.store.ChargesAsAsked;
import dev.anemone.evaluation.lab.workload.PolicyOptions;
import dev.anemone.evaluation.lab.workload.PolicyOptions.Side;
import dev.anemone.examples.tpch.TpchDataSet;
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

/** {@code evaluation/run skew-q10}: TPC-H Q10 where a few keys own a large share of the data. */
@Command(name = "skew-q10")
public final class SkewQ10 extends ExperimentCommand {
  static final String CHART_FILE = "times.png";

  private static final int QUERY = 10;

  @Option(
      names = "--slots",
      description = "Tasks that run at the same time where reads are as they are.")
  private int slots = 2;

  @Option(
      names = "--read-rate",
      paramLabel = "SIZE",
      description =
          "Bytes per second of a task's link in the second part, where all tasks of a stage run at"
              + " the same time; 0 leaves the second part out.")
  private ByteSize bytesPerSecond = ByteSize.of("400k");

  @Mixin private TpchOptions.Skewed data = new TpchOptions.Skewed(0.3);
  @Mixin private Runs runs = new Runs(3);
  @Mixin private PolicyOptions policies;
  @Mixin private ProgramOptions programs = new ProgramOptions("2g", 900);

  /** The answer of the first run, which all others must give. */
  private String answer;

  @Override
  protected void check() {
    require("--slots", slots, slots >= 1, "at least one task must run at a time");
  }

  @Override
  protected boolean measure() throws IOException, InterruptedException {
    TpchDataSet opened = data.open(evaluation());
    ReportingProcess process = programs.process(directory(), evaluation());
    List<Condition> conditions = new ArrayList<>(List.of(Condition.asItIs(slots)));
    if (bytesPerSecond.bytes() > 0) {
      conditions.add(Condition.links(policies.parallelism(), bytesPerSecond.bytes()));
    }
    List<Run> finished = new ArrayList<>();
    for (Condition condition : conditions) {
      for (int round = 1; round <= runs.count(); round++) {
        List<Side> order = new ArrayList<>(policies.sides(programs.nemoOptions()));
        Collections.rotate(order, round - 1);
        for (Side side : order) {
          finished.add(run(process, opened, side, condition, round));
        }
      }
    }
    SkewQ10Figures figures =
        new SkewQ10Figures(
            data.scale(),
            data.skew().toString(),
            policies.parallelism(),
            programs.chosenJvmOptions(),
            finished);
    Path chart = directory().resolve(CHART_FILE);
    draw(figures, chart);
    publish(
        figures,
        text(
            "TPC-H Q10, scale %s, skew %s, %d consumer tasks, %s",
            figures.scale(),
            figures.skew(),
            figures.parallelism(),
            String.join(" ", figures.jvmOptions())),
        figures.times(),
        figures.reads(),
        "Job times are those of the pipeline, without the start of the JVM and the planning of SQL."
            + " Bytes are those of keys and values that consumer tasks read over an edge; an edge"
            + " that is read by one task is left out.",
        "Bars: " + chart);
    return true;
  }

  private Run run(
      ReportingProcess process, TpchDataSet opened, Side side, Condition condition, int round)
      throws IOException, InterruptedException {
    double load = Machine.load();
    String name = side.policy() + (condition.isCharged() ? "-links-" : "-as-it-is-") + round;
    List<String> arguments =
        Arguments.of(
            "--query=" + QUERY,
            "--scale=" + data.scale(),
            "--skew=" + data.skew(),
            "--data=" + opened.directory(),
            "--slots=" + condition.slots(),
            side.runnerOptions());
    Reported<QueryReport> reported =
        process.run(
            name,
            QueryProgram.class,
            arguments,
            QueryReport.class,
            new Setting(condition.jvmOptions(), UnaryOperator.identity()));
    QueryReport report = reported.report();
    requireSameAnswer(name, report.rows(), reported.log());
    requireCharged(name, condition, report, policies.parallelism());
    double seconds = report.jobMilliseconds() / 1e3;
    progress("%s, round %d, %s: %.2f s", condition.name(), round, side.policy(), seconds);
    return new Run(side.policy(), condition, round, load, seconds, reported.cost(), report.edges());
  }

  private void requireSameAnswer(String name, String rows, Path log) {
    if (answer == null) {
      answer = rows;
    } else if (!rows.equals(answer)) {
      throw new ExperimentFailure(
          "The run %s gave another answer than the first run, so its figures mean nothing:%n%s"
              + "instead of%n%sIts log is %s.",
          name, rows, answer, log);
    }
  }

  /** Checks that a job took no less than it takes to read its busiest edge over all links. */
  static void requireCharged(
      String name, Condition condition, QueryReport report, int parallelism) {
    if (!condition.isCharged()) {
      return;
    }
    double seconds = busiestEdgeBytes(report.edges()) / condition.bytesPerSecond() / parallelism;
    if (report.jobMilliseconds() / 1e3 < seconds) {
      throw new ExperimentFailure(
          "The run %s took %.2f s, but its links need %.2f s at least for what was read: the"
              + " runtime has not charged reads as the system property %s asks it to.",
          name, report.jobMilliseconds() / 1e3, seconds, ChargesAsAsked.LINK_PROPERTY);
    }
  }

  private static double busiestEdgeBytes(EdgeFigures edges) {
    return edges.counters().values().stream()
        .mapToDouble(counters -> counters.getOrDefault("diskReadBytes", 0L))
        .max()
        .orElse(0);
  }

  private static void draw(SkewQ10Figures figures, Path file) throws IOException {
    CategoryChart chart =
        Charts.bars("Q10 on skewed data", "reads of consumer tasks", "job time, s");
    for (String policy : figures.policies()) {
      chart.addSeries(
          policy,
          figures.conditions().stream().map(Condition::name).toList(),
          figures.conditions().stream()
              .map(condition -> SkewQ10Figures.seconds(figures.of(policy, condition)).median())
              .toList());
    }
    Charts.save(chart, file);
  }
}
