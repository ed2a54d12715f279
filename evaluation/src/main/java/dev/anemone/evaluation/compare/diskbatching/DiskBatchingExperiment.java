// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.diskbatching;

import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.lab.disk.BlockDevice;
import dev.anemone.evaluation.lab.disk.CacheDropper;
import dev.anemone.evaluation.lab.disk.RandomReadRate;
import dev.anemone.evaluation.lab.disk.ReadThrottle;
import dev.anemone.evaluation.lab.process.ProcessFigures;
import dev.anemone.evaluation.lab.report.FiguresFile;
import dev.anemone.evaluation.lab.report.Machine;
import dev.anemone.evaluation.lab.workload.Side;
import dev.anemone.evaluation.lab.workload.WorkloadProcess;
import dev.anemone.evaluation.lab.workload.WorkloadRun;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;

/**
 * Shuffles with each policy on a disk that allows few reads per second and has nothing in the
 * cache, and on the same disk as it is. The policies take turns, round after round.
 */
final class DiskBatchingExperiment {
  /** The raw figures, in the directory of the experiment. */
  static final String FIGURES_FILE = "figures.json";

  private static final Duration DROP_INTERVAL = Duration.ofSeconds(1);

  /** How far above its limit a throttle may let reads through, measured over a short time. */
  private static final double TOLERANCE = 1.25;

  private final DiskBatchingPlan plan;
  private final WorkloadProcess process;
  private final PrintWriter out;
  private final PrintWriter err;

  /**
   * @param process runs the shuffles, on the disk of the plan
   * @param out for the table
   * @param err for the progress
   */
  DiskBatchingExperiment(
      DiskBatchingPlan plan, WorkloadProcess process, PrintWriter out, PrintWriter err) {
    this.plan = plan;
    this.process = process;
    this.out = out;
    this.err = err;
  }

  /**
   * Runs all, prints the table, and writes the raw figures.
   *
   * @throws ExperimentFailure if the disk cannot be throttled, or a run fails or shuffles wrong
   * @throws IOException if a file cannot be read or written, or no JVM can be started
   */
  DiskBatchingFigures run() throws IOException, InterruptedException {
    Files.createDirectories(plan.results());
    Files.createDirectories(plan.disk());
    String started = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    Machine machine = Machine.current();
    RandomReadRate rate = new RandomReadRate(plan.disk(), plan.classPath(), plan.proofSeconds());
    List<DiskBatchingFigures.Run> runs = new ArrayList<>();
    double freeReads = rate.measure(UnaryOperator.identity());
    double throttledReads;
    BlockDevice device = BlockDevice.of(plan.disk());
    try (ReadThrottle throttle = ReadThrottle.start(device, plan.readsPerSecond())) {
      throttledReads = rate.measure(throttle::command);
      requireThrottled(throttledReads, device);
      for (int round = 1; round <= plan.rounds(); round++) {
        for (Side side : plan.sides()) {
          runs.add(throttled(side, round, throttle));
        }
      }
    }
    for (int round = 1; round <= plan.rounds(); round++) {
      for (Side side : plan.sides()) {
        runs.add(run(side, false, round, UnaryOperator.identity()));
      }
    }
    DiskBatchingFigures figures =
        new DiskBatchingFigures(
            started,
            machine,
            plan.shape().producers(),
            plan.shape().consumers(),
            plan.shape().bytes(),
            plan.jvmOptions(),
            plan.readsPerSecond(),
            throttledReads,
            freeReads,
            runs);
    Path file = plan.results().resolve(FIGURES_FILE);
    FiguresFile.write(file, figures);
    print(figures, file);
    return figures;
  }

  private void requireThrottled(double reads, BlockDevice device) {
    err.printf(Locale.ROOT, "throttled: %,.0f random reads of 8 KB per second%n", reads);
    err.flush();
    if (reads > plan.readsPerSecond() * TOLERANCE) {
      throw new ExperimentFailure(
          String.format(
              Locale.ROOT,
              "The throttle of device %s is set to %,d reads per second, but a process under it has"
                  + " read %,.0f times. The disk does not behave like one with a moving head, so"
                  + " there is nothing to measure. Name a directory on a local disk with --disk.",
              device,
              plan.readsPerSecond(),
              reads));
    }
  }

  private DiskBatchingFigures.Run throttled(Side side, int round, ReadThrottle throttle)
      throws IOException, InterruptedException {
    try (CacheDropper dropper = CacheDropper.every(DROP_INTERVAL, plan.disk())) {
      DiskBatchingFigures.Run run = run(side, true, round, throttle::command);
      dropper.requireWorking();
      return run;
    }
  }

  private DiskBatchingFigures.Run run(
      Side side, boolean throttled, int round, UnaryOperator<List<String>> command)
      throws IOException, InterruptedException {
    double load = Machine.load();
    String name = side.policy() + (throttled ? "-throttled-" : "-free-") + round;
    WorkloadRun run = process.run(name, plan.shape(), side.runnerOptions(), command);
    ProcessFigures cost = run.figures();
    DiskBatchingFigures.Run figures =
        new DiskBatchingFigures.Run(
            side.policy(),
            throttled,
            round,
            load,
            cost.wall().toNanos() / 1e9,
            cost.userCpu().toNanos() / 1e9,
            cost.peakResidentBytes(),
            run.report().ofConsumers("diskSeeks"),
            run.report().ofConsumers("diskReadBytes"),
            run.report().edges());
    err.printf(
        Locale.ROOT,
        "%s, round %d, %s: %.2f s%n",
        throttled ? "throttled" : "as it is",
        round,
        side.policy(),
        figures.wallSeconds());
    err.flush();
    return figures;
  }

  private void print(DiskBatchingFigures figures, Path file) {
    out.printf(
        Locale.ROOT,
        "Shuffle of %,d bytes, %,d producers and %,d consumers, %s%n%s; started %s%n%n%s%n"
            + "Throttled: %,d reads per second allowed, by a control group around the whole process;"
            + " one process does %,.0f random reads of 8 KB per second there, and %,.0f on the disk"
            + " as it is. While a throttled run lasts, everything is synced to the disk and the"
            + " cache of files is emptied every second, for all policies alike.%n"
            + "Seeks and bytes are those of the consumers, in the first run of each line."
            + "%nRaw figures: %s%n",
        figures.shuffledBytes(),
        figures.producers(),
        figures.consumers(),
        String.join(" ", figures.jvmOptions()),
        figures.machine().describe(),
        figures.started(),
        DiskBatchingTable.of(figures),
        figures.readsPerSecond(),
        figures.throttledRandomReads(),
        figures.freeRandomReads(),
        file);
    out.flush();
  }
}
