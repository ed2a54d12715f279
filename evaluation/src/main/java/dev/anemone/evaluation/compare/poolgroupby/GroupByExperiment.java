// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.poolgroupby;

import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.lab.pool.PoolServerProcess;
import dev.anemone.evaluation.lab.process.ProcessFigures;
import dev.anemone.evaluation.lab.process.ReportingProcess;
import dev.anemone.evaluation.lab.report.FiguresFile;
import dev.anemone.evaluation.lab.report.Machine;
import dev.anemone.evaluation.lab.report.MarkdownTable;
import dev.anemone.evaluation.lab.report.Summary;
import dev.anemone.evaluation.lab.workload.Side;
import dev.anemone.evaluation.lab.workload.SideInputProgram;
import dev.anemone.evaluation.lab.workload.SideInputReport;
import dev.anemone.evaluation.lab.workload.WorkloadProcess;
import dev.anemone.rdma.pool.server.PoolServerOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.function.UnaryOperator;

/**
 * Runs a group-by and a broadcast with their bytes in local files, pushed, and in the DRAM of
 * another process, in turns. After the two workloads of Crail's slides.
 */
final class GroupByExperiment {
  /** The raw figures, in the directory of the experiment. */
  static final String FIGURES_FILE = "figures.json";

  static final String GROUP_BY = "group-by";
  static final String BROADCAST = "broadcast";
  static final String FILES = "files";
  static final String PUSH = "push";
  static final String POOL = "pool";

  private final GroupByPlan plan;
  private final PrintWriter out;
  private final WorkloadProcess groupBy;
  private final ReportingProcess broadcast;
  private final List<GroupByFigures.Run> runs = new ArrayList<>();

  /**
   * @param out for the table
   */
  GroupByExperiment(GroupByPlan plan, PrintWriter out) {
    this.plan = plan;
    this.out = out;
    this.groupBy =
        new WorkloadProcess(plan.directory(), plan.classPath(), plan.jvmOptions(), plan.deadline());
    this.broadcast =
        new ReportingProcess(
            plan.directory(), plan.classPath(), plan.jvmOptions(), plan.deadline());
  }

  /**
   * Runs all, prints the table, and writes the raw figures.
   *
   * @throws ExperimentFailure if a run fails, or brings other records than were made
   * @throws IOException if a file cannot be read or written, or no JVM can be started
   */
  GroupByFigures run() throws IOException, InterruptedException {
    Files.createDirectories(plan.directory());
    String started = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    double load = Machine.load();
    for (int run = 0; run < plan.runs(); run++) {
      group(FILES, Side.of(Side.DEFAULT, List.of()).runnerOptions());
      group(PUSH, Side.of(Side.LARGE_SHUFFLE, List.of()).runnerOptions());
      lookUp(FILES, Side.of(Side.DEFAULT, List.of()).runnerOptions());
      runInPool();
    }
    GroupByFigures figures =
        new GroupByFigures(
            started,
            Machine.current(),
            load,
            plan.groupBy().bytes(),
            plan.broadcastPairs() * SideInputProgram.VALUE_BYTES,
            plan.transport(),
            List.copyOf(runs));
    Path file = plan.directory().resolve(FIGURES_FILE);
    FiguresFile.write(file, figures);
    print(figures, file);
    return figures;
  }

  /** A pool for each round, so that none finds what another has left. */
  private void runInPool() throws IOException, InterruptedException {
    try (PoolServerProcess server =
        PoolServerProcess.start(
            plan.transport(),
            plan.poolMegabytes(),
            PoolServerOptions.DEFAULT_PAGE_BYTES,
            plan.classPath(),
            plan.directory().resolve("server.log"))) {
      group(POOL, server.runnerOptions());
      lookUp(POOL, server.runnerOptions());
    }
  }

  private void group(String side, List<String> options) throws IOException, InterruptedException {
    add(
        GROUP_BY,
        side,
        groupBy
            .run(GROUP_BY + "-" + side, plan.groupBy(), options, UnaryOperator.identity())
            .figures());
  }

  private void lookUp(String side, List<String> options) throws IOException, InterruptedException {
    List<String> arguments =
        new ArrayList<>(List.of("--pairs=" + plan.broadcastPairs(), "--lookups=" + plan.lookups()));
    arguments.addAll(options);
    ReportingProcess.Reported<SideInputReport> reported =
        broadcast.run(
            BROADCAST + "-" + side,
            SideInputProgram.class,
            List.of(),
            arguments,
            SideInputReport.class,
            UnaryOperator.identity());
    if (reported.report().found() != plan.lookups()) {
      throw new ExperimentFailure(
          "Of "
              + plan.lookups()
              + " lookups only "
              + reported.report().found()
              + " found what they should. The log is "
              + reported.log()
              + ".");
    }
    add(BROADCAST, side, reported.figures());
  }

  private void add(String program, String side, ProcessFigures figures) {
    runs.add(
        new GroupByFigures.Run(
            program,
            side,
            figures.wall().toNanos() / 1e9,
            (figures.userCpu().toNanos() + figures.systemCpu().toNanos()) / 1e9,
            figures.peakResidentBytes()));
  }

  private void print(GroupByFigures figures, Path file) {
    MarkdownTable table =
        new MarkdownTable("program", "bytes in", "runs", "s", "min s", "max s", "CPU s", "peak MB");
    add(table, figures, GROUP_BY, List.of(FILES, PUSH, POOL));
    add(table, figures, BROADCAST, List.of(FILES, POOL));
    out.printf(
        Locale.ROOT,
        "Group-by of %,d bytes from %d to %d tasks; broadcast of %,d bytes, %,d lookups;"
            + " medians; pool over %s%n%s; load %.1f; started %s%n%n%s%nRaw figures: %s%n",
        figures.groupByBytes(),
        plan.groupBy().producers(),
        plan.groupBy().consumers(),
        figures.broadcastBytes(),
        plan.lookups(),
        plan.transport(),
        figures.machine().describe(),
        figures.loadBefore(),
        figures.started(),
        table,
        file);
    out.flush();
  }

  private static void add(
      MarkdownTable table, GroupByFigures figures, String program, List<String> sides) {
    for (String side : sides) {
      List<GroupByFigures.Run> of = figures.of(program, side);
      Summary seconds = summary(of, GroupByFigures.Run::seconds);
      table.row(
          program,
          side,
          Integer.toString(of.size()),
          text(seconds.median()),
          text(seconds.min()),
          text(seconds.max()),
          text(summary(of, GroupByFigures.Run::processorSeconds).median()),
          String.format(
              Locale.ROOT,
              "%.0f",
              summary(of, GroupByFigures.Run::peakResidentBytes).median() / 1e6));
    }
  }

  private static Summary summary(
      List<GroupByFigures.Run> runs, ToDoubleFunction<GroupByFigures.Run> figure) {
    return Summary.of(runs.stream().mapToDouble(figure).toArray());
  }

  private static String text(double seconds) {
    return String.format(Locale.ROOT, "%.2f", seconds);
  }
}
