// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.poolgroupby;

import dev.anemone.evaluation.lab.ByteSize;
import dev.anemone.evaluation.lab.experiment.ExperimentCommand;
import dev.anemone.evaluation.lab.experiment.ProgramOptions;
import dev.anemone.evaluation.lab.experiment.Runs;
import dev.anemone.evaluation.lab.pool.PoolServerProcess;
import dev.anemone.evaluation.lab.process.ProcessFigures.ProcessCost;
import dev.anemone.evaluation.lab.report.MarkdownTable;
import dev.anemone.evaluation.lab.report.Summary;
import dev.anemone.evaluation.lab.workload.PolicyOptions.Side;
import dev.anemone.evaluation.lab.workload.SideInputProgram;
import dev.anemone.evaluation.lab.workload.SyntheticRecords.ShuffleShape;
import dev.anemone.evaluation.lab.workload.WorkloadProcess;
import dev.anemone.rdma.pool.server.PoolServerOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code evaluation/run pool-groupby-broadcast}: after two workloads of Crail's slides. */
@Command(name = "pool-groupby-broadcast")
public final class PoolGroupBy extends ExperimentCommand {
  /** Of the pool, for each byte that is grouped or broadcast. */
  private static final int POOL_BYTES_PER_BYTE = 3;

  private static final int LEAST_POOL_MEGABYTES = 512;
  private static final String GROUP_BY = "group-by";
  private static final String BROADCAST = "broadcast";
  private static final String POOL = "pool";

  @Option(names = "--bytes", paramLabel = "SIZE", description = "What is grouped.")
  private ByteSize bytes = ByteSize.of("200m");

  @Option(names = "--broadcast-bytes", paramLabel = "SIZE", description = "What is broadcast.")
  private ByteSize broadcastBytes = ByteSize.of("50m");

  @Option(names = "--tasks", description = "Tasks before and behind the group-by.")
  private int tasks = 16;

  @Option(names = "--lookups", description = "Keys that are looked up in the broadcast.")
  private long lookups = 100_000;

  @Option(
      names = "--transport",
      paramLabel = "NAME",
      description = "How the pool is reached: tcp or ucx.")
  private String transport = "tcp";

  @Mixin private Runs runs = new Runs(3);
  @Mixin private ProgramOptions programs = new ProgramOptions("512m", 600);

  private WorkloadProcess process;
  private ShuffleShape shape;
  private final List<Run> finished = new ArrayList<>();

  record Figures(long groupByBytes, long broadcastBytes, String transport, List<Run> runs) {}

  record Run(String program, String side, ProcessCost cost) {}

  @Override
  protected void check() {
    require(
        "--broadcast-bytes",
        broadcastBytes,
        SideInputProgram.pairs(broadcastBytes.bytes()) >= 2,
        "there must be two values of " + SideInputProgram.VALUE_BYTES + " bytes at least");
    require("--lookups", lookups, lookups >= 1, "there must be a key to look up");
    require("--tasks", tasks, tasks >= 1, "there must be a task");
  }

  @Override
  protected boolean measure() throws IOException, InterruptedException {
    process = new WorkloadProcess(programs.process(directory(), evaluation()));
    shape = ShuffleShape.ofBytes(tasks, tasks, bytes.bytes(), 1);
    Side files = Side.of(Side.DEFAULT, programs.nemoOptions());
    for (int run = 0; run < runs.count(); run++) {
      group("files", files.runnerOptions());
      group("push", Side.of(Side.LARGE_SHUFFLE, programs.nemoOptions()).runnerOptions());
      lookUp("files", files.runnerOptions());
      runInPool();
    }
    publish(
        new Figures(
            shape.bytes(),
            SideInputProgram.pairs(broadcastBytes.bytes()) * SideInputProgram.VALUE_BYTES,
            transport,
            finished),
        text(
            "Group-by of %,d bytes from %d to %d tasks; broadcast of %,d bytes, %,d lookups;"
                + " medians; pool over %s",
            shape.bytes(), tasks, tasks, broadcastBytes.bytes(), lookups, transport),
        table());
    return true;
  }

  /** A pool for each round, so that none finds what another has left. */
  private void runInPool() throws IOException, InterruptedException {
    try (PoolServerProcess server =
        PoolServerProcess.start(
            transport,
            Math.toIntExact(
                LEAST_POOL_MEGABYTES
                    + POOL_BYTES_PER_BYTE * ((bytes.bytes() + broadcastBytes.bytes()) >> 20)),
            PoolServerOptions.DEFAULT_PAGE_BYTES,
            evaluation().ownClassPath(),
            directory().resolve("server.log"))) {
      List<String> options = programs.nemoOptions(server.runnerOptions().toArray(String[]::new));
      group(POOL, options);
      lookUp(POOL, options);
    }
  }

  private void group(String side, List<String> options) throws IOException, InterruptedException {
    add(GROUP_BY, side, process.shuffle(GROUP_BY + "-" + side, shape, options).cost());
  }

  private void lookUp(String side, List<String> options) throws IOException, InterruptedException {
    add(
        BROADCAST,
        side,
        process.lookUp(BROADCAST + "-" + side, broadcastBytes.bytes(), lookups, options).cost());
  }

  private void add(String program, String side, ProcessCost cost) {
    finished.add(new Run(program, side, cost));
    progress("%s, %s: %.2f s", program, side, cost.wallSeconds());
  }

  private MarkdownTable table() {
    MarkdownTable table =
        new MarkdownTable(
            "program; bytes in; runs; s|%.2f; min s|%.2f; max s|%.2f; CPU s|%.2f; "
                + "peak MB|%.0f");
    for (String program : List.of(GROUP_BY, BROADCAST)) {
      for (String side : List.of("files", "push", POOL)) {
        List<ProcessCost> costs =
            finished.stream()
                .filter(run -> run.program().equals(program) && run.side().equals(side))
                .map(Run::cost)
                .toList();
        if (!costs.isEmpty()) {
          Summary seconds = Summary.of(costs, ProcessCost::wallSeconds);
          table.row(
              program,
              side,
              costs.size(),
              seconds,
              Summary.of(costs, cost -> cost.userCpuSeconds() + cost.systemCpuSeconds()).median(),
              Summary.of(costs, ProcessCost::peakMegabytes).median());
        }
      }
    }
    return table;
  }
}
