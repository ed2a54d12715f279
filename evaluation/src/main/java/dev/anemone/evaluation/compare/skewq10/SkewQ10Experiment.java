// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.skewq10;

import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.lab.edges.EdgeFigures;
import dev.anemone.evaluation.lab.process.ReportingProcess;
import dev.anemone.evaluation.lab.report.FiguresFile;
import dev.anemone.evaluation.lab.report.Machine;
import dev.anemone.evaluation.lab.store.ChargesAsAsked;
import dev.anemone.evaluation.lab.workload.Side;
import dev.anemone.examples.tpch.TpchDataSet;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;

/**
 * Runs TPC-H Q10 on skewed data with each policy, the policies in turn, round after round: with
 * reads as fast as they are, and with a link of its own for each task.
 */
final class SkewQ10Experiment {
  /** The raw figures, in the directory of the experiment. */
  static final String FIGURES_FILE = "figures.json";

  /** The bars, likewise. */
  static final String CHART_FILE = "times.png";

  private static final int QUERY = 10;

  private final SkewQ10Plan plan;
  private final ReportingProcess process;
  private final PrintWriter out;
  private final PrintWriter err;

  /** The answer of the first run, which all others must give. */
  private String answer;

  /**
   * @param process runs the query
   * @param out for the tables
   * @param err for the progress
   */
  SkewQ10Experiment(SkewQ10Plan plan, ReportingProcess process, PrintWriter out, PrintWriter err) {
    this.plan = plan;
    this.process = process;
    this.out = out;
    this.err = err;
  }

  /**
   * Runs all, prints the tables, draws the chart, and writes the raw figures.
   *
   * @throws ExperimentFailure if a run fails, gives another answer than the first one, or is faster
   *     than its links
   * @throws IOException if a file cannot be read or written, or no JVM can be started
   */
  SkewQ10Figures run() throws IOException, InterruptedException {
    Files.createDirectories(plan.directory());
    TpchDataSet.open(plan.data(), plan.scale(), plan.skew());
    String started = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    List<SkewQ10Figures.Run> runs = new ArrayList<>();
    for (Condition condition : plan.conditions()) {
      for (int round = 1; round <= plan.rounds(); round++) {
        for (Side side : plan.sides()) {
          runs.add(run(side, condition, round));
        }
      }
    }
    SkewQ10Figures figures =
        new SkewQ10Figures(
            started,
            Machine.current(),
            plan.scale(),
            plan.skew().toString(),
            plan.parallelism(),
            plan.jvmOptions(),
            runs);
    Path file = plan.directory().resolve(FIGURES_FILE);
    FiguresFile.write(file, figures);
    Path chart = plan.directory().resolve(CHART_FILE);
    TimesChart.draw(figures, chart);
    print(figures, file, chart);
    return figures;
  }

  private SkewQ10Figures.Run run(Side side, Condition condition, int round)
      throws IOException, InterruptedException {
    double load = Machine.load();
    String name = side.policy() + (condition.isCharged() ? "-links-" : "-as-it-is-") + round;
    ReportingProcess.Reported<QueryReport> reported =
        process.run(
            name,
            QueryProgram.class,
            condition.jvmOptions(),
            arguments(side, condition),
            QueryReport.class,
            UnaryOperator.identity());
    QueryReport report = reported.report();
    requireSameAnswer(name, report.rows(), reported.log());
    requireCharged(name, condition, report, plan.parallelism());
    SkewQ10Figures.Run run =
        new SkewQ10Figures.Run(
            side.policy(),
            condition,
            round,
            load,
            report.jobMilliseconds() / 1e3,
            reported.figures().wall().toNanos() / 1e9,
            reported.figures().userCpu().toNanos() / 1e9,
            report.edges());
    err.printf(
        Locale.ROOT,
        "%s, round %d, %s: %.2f s%n",
        condition.name(),
        round,
        side.policy(),
        run.jobSeconds());
    err.flush();
    return run;
  }

  private List<String> arguments(Side side, Condition condition) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--query=" + QUERY,
                "--scale=" + plan.scale(),
                "--skew=" + plan.skew(),
                "--data=" + plan.data(),
                "--slots=" + condition.slots()));
    arguments.addAll(side.runnerOptions());
    return arguments;
  }

  private void requireSameAnswer(String name, String rows, Path log) {
    if (answer == null) {
      answer = rows;
    } else if (!rows.equals(answer)) {
      throw new ExperimentFailure(
          "The run "
              + name
              + " gave another answer than the first run, so its figures mean nothing:\n"
              + rows
              + "instead of\n"
              + answer
              + "Its log is "
              + log
              + ".");
    }
  }

  /**
   * Checks that a job took as long as its busiest edge must: with as many links as tasks, no less
   * than it takes to read the edge's bytes over all links at once.
   */
  static void requireCharged(
      String name, Condition condition, QueryReport report, int parallelism) {
    if (!condition.isCharged()) {
      return;
    }
    double seconds = busiestEdgeBytes(report.edges()) / condition.bytesPerSecond() / parallelism;
    if (report.jobMilliseconds() / 1e3 < seconds) {
      throw new ExperimentFailure(
          String.format(
              Locale.ROOT,
              "The run %s took %.2f s, but its links need %.2f s at least for what was read: the"
                  + " runtime has not charged reads as the system property %s asks it to.",
              name,
              report.jobMilliseconds() / 1e3,
              seconds,
              ChargesAsAsked.LINK_PROPERTY));
    }
  }

  private static double busiestEdgeBytes(EdgeFigures edges) {
    return edges.counters().values().stream()
        .mapToDouble(counters -> counters.getOrDefault("diskReadBytes", 0L))
        .max()
        .orElse(0);
  }

  private void print(SkewQ10Figures figures, Path file, Path chart) {
    out.printf(
        Locale.ROOT,
        "TPC-H Q10, scale %s, skew %s, %d consumer tasks, %s%n%s; started %s%n%n%s%n%s%n"
            + "Job times are those of the pipeline, without the start of the JVM and the planning of"
            + " SQL. Bytes are those of keys and values that consumer tasks read over an edge; an"
            + " edge that is read by one task is left out.%nBars: %s%nRaw figures: %s%n",
        figures.scale(),
        figures.skew(),
        figures.parallelism(),
        String.join(" ", figures.jvmOptions()),
        figures.machine().describe(),
        figures.started(),
        SkewQ10Tables.times(figures),
        SkewQ10Tables.reads(figures),
        chart,
        file);
    out.flush();
  }
}
