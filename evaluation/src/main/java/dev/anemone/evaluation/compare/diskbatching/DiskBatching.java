// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.diskbatching;

import dev.anemone.evaluation.lab.ByteSize;
import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.lab.disk.CacheDropper;
import dev.anemone.evaluation.lab.disk.RandomReadRate;
import dev.anemone.evaluation.lab.disk.ReadThrottle;
import dev.anemone.evaluation.lab.disk.ReadThrottle.BlockDevice;
import dev.anemone.evaluation.lab.experiment.ExperimentCommand;
import dev.anemone.evaluation.lab.experiment.ProgramOptions;
import dev.anemone.evaluation.lab.experiment.Runs;
import dev.anemone.evaluation.lab.process.ProcessFigures.ProcessCost;
import dev.anemone.evaluation.lab.process.ReportingProcess.Reported;
import dev.anemone.evaluation.lab.process.ReportingProcess.Setting;
import dev.anemone.evaluation.lab.report.Circumstances.Machine;
import dev.anemone.evaluation.lab.report.MarkdownTable;
import dev.anemone.evaluation.lab.report.Summary;
import dev.anemone.evaluation.lab.store.ChargesAsAsked;
import dev.anemone.evaluation.lab.workload.PolicyOptions.Side;
import dev.anemone.evaluation.lab.workload.ShuffleWorkload.WorkloadReport;
import dev.anemone.evaluation.lab.workload.SyntheticRecords.ShuffleShape;
import dev.anemone.evaluation.lab.workload.WorkloadProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code evaluation/run disk-batching}: disk read batching on a disk with a moving head. */
@Command(name = "disk-batching")
public final class DiskBatching extends ExperimentCommand {
  private static final int PROOF_SECONDS = 3;
  private static final Duration DROP_INTERVAL = Duration.ofSeconds(1);

  /** How far above its limit a throttle may let reads through, measured over a short time. */
  private static final double TOLERANCE = 1.25;

  @Option(
      names = "--bytes",
      paramLabel = "SIZE",
      description = "What is shuffled: bytes, or such as 10k, 200m, 1g.")
  private ByteSize bytes = ByteSize.of("2g");

  @Option(names = "--parallelism", description = "Producers, and as many consumers.")
  private int parallelism = 500;

  @Option(names = "--riops", description = "Reads per second of the throttled disk.")
  private int readsPerSecond = 3_000;

  @Option(
      names = "--seek-micros",
      description =
          "In place of the throttle: microseconds that every seek of the runtime takes longer, one"
              + " after the other; needs no root.")
  private Integer seekMicros;

  @Option(
      names = "--disk",
      paramLabel = "DIRECTORY",
      description = "A directory on the disk to measure (default: where the results are).")
  private Path disk;

  @Option(names = "--seed", description = "Seed of the records.")
  private long seed = 1;

  @Mixin private Runs runs = new Runs(3);
  @Mixin private ProgramOptions programs = new ProgramOptions("2g", 900);

  private WorkloadProcess process;
  private ShuffleShape shape;
  private final List<Run> finished = new ArrayList<>();

  enum Disk {
    THROTTLED("throttled"),
    CHARGED("seeks charged"),
    FREE("as it is");

    private final String label;

    Disk(String label) {
      this.label = label;
    }
  }

  /**
   * @param throttle what random reads were like; empty when seeks were charged instead
   * @param seekMicros that every seek was charged; empty when reads were throttled instead
   */
  record Figures(
      int producers,
      int consumers,
      long shuffledBytes,
      List<String> jvmOptions,
      List<Throttle> throttle,
      List<Integer> seekMicros,
      List<Run> runs) {}

  /** Reads per second of one process: allowed, under the throttle, and without it. */
  record Throttle(int readsPerSecond, double throttledReads, double freeReads) {}

  /**
   * @param seeks reads of the consumers that did not go on where the one before had ended
   */
  record Run(
      String policy,
      Disk disk,
      int round,
      double loadBefore,
      ProcessCost cost,
      long seeks,
      long readBytes,
      SortedMap<String, SortedMap<String, Long>> edges) {}

  @Override
  protected void check() {
    require("--parallelism", parallelism, parallelism >= 1, "a shuffle needs at least one task");
    require(
        "--riops",
        readsPerSecond,
        readsPerSecond >= 1,
        "a disk must allow at least one read per second");
    require(
        "--seek-micros", seekMicros, seekMicros == null || seekMicros >= 1, "a seek takes time");
  }

  @Override
  protected boolean measure() throws IOException, InterruptedException {
    Path directory = disk == null ? directory() : disk.toAbsolutePath();
    Files.createDirectories(directory);
    process = new WorkloadProcess(programs.process(directory, evaluation()));
    shape = ShuffleShape.ofBytes(parallelism, parallelism, bytes.bytes(), seed);
    Optional<Throttle> throttle = Optional.empty();
    if (seekMicros == null) {
      throttle = Optional.of(runThrottled(directory));
    } else {
      String option = "-D" + ChargesAsAsked.SEEK_PROPERTY + "=" + seekMicros;
      runAll(Disk.CHARGED, new Setting(List.of(option), UnaryOperator.identity()));
    }
    runAll(Disk.FREE, Setting.USUAL);
    publish(
        new Figures(
            parallelism,
            parallelism,
            shape.bytes(),
            programs.chosenJvmOptions(),
            throttle.stream().toList(),
            Optional.ofNullable(seekMicros).stream().toList(),
            finished),
        text(
            "Shuffle of %,d bytes, %,d producers and %,d consumers, %s",
            shape.bytes(), parallelism, parallelism, String.join(" ", programs.chosenJvmOptions())),
        table(finished),
        throttle
                .map(DiskBatching::explanation)
                .orElse(text("Charged: every seek of the runtime takes %,d us longer.", seekMicros))
            + " Seeks and bytes are those of the consumers, in the first run of each line.");
    return true;
  }

  private Throttle runThrottled(Path directory) throws IOException, InterruptedException {
    RandomReadRate rate = new RandomReadRate(directory, evaluation().ownClassPath(), PROOF_SECONDS);
    double freeReads = rate.measure(UnaryOperator.identity());
    BlockDevice device = BlockDevice.of(directory);
    try (ReadThrottle throttle = ReadThrottle.start(device, readsPerSecond)) {
      double throttledReads = rate.measure(throttle::command);
      requireThrottled(throttledReads, device);
      try (CacheDropper dropper = CacheDropper.every(DROP_INTERVAL, directory)) {
        runAll(Disk.THROTTLED, new Setting(List.of(), throttle::command));
        dropper.requireWorking();
      }
      return new Throttle(readsPerSecond, throttledReads, freeReads);
    }
  }

  private void requireThrottled(double reads, BlockDevice device) {
    progress("throttled: %,.0f random reads of 8 KB per second", reads);
    if (reads > readsPerSecond * TOLERANCE) {
      throw new ExperimentFailure(
          "The throttle of device %s is set to %,d reads per second, but a process under it has"
              + " read %,.0f times. The disk does not behave like one with a moving head, so"
              + " there is nothing to measure. Name a directory on a local disk with --disk.",
          device, readsPerSecond, reads);
    }
  }

  private void runAll(Disk disk, Setting setting) throws IOException, InterruptedException {
    for (int round = 1; round <= runs.count(); round++) {
      for (Side side : Side.both(programs.nemoOptions())) {
        double load = Machine.load();
        Reported<WorkloadReport> reported =
            process.shuffle(
                side.policy() + "-" + disk + "-" + round, shape, side.runnerOptions(), setting);
        WorkloadReport report = reported.report();
        finished.add(
            new Run(
                side.policy(),
                disk,
                round,
                load,
                reported.cost(),
                report.ofConsumers("diskSeeks"),
                report.ofConsumers("diskReadBytes"),
                report.edges()));
        progress(
            "%s, round %d, %s: %.2f s",
            disk.label, round, side.policy(), reported.cost().wallSeconds());
      }
    }
  }

  private static String explanation(Throttle throttle) {
    return text(
        "Throttled: %,d reads per second allowed, by a control group around the whole process; one"
            + " process does %,.0f random reads of 8 KB per second there, and %,.0f on the disk as"
            + " it is. While throttled runs last, everything is synced to the disk and the cache of"
            + " files is emptied every second, for all policies alike.",
        throttle.readsPerSecond(), throttle.throttledReads(), throttle.freeReads());
  }

  /** One line per policy and disk; the last column says how much faster it is than the first. */
  static MarkdownTable table(List<Run> runs) {
    MarkdownTable table =
        new MarkdownTable(
            "disk; policy; runs; median s|%.2f; min s|%.2f; max s|%.2f; seeks|%,d; "
                + "MB read|%.1f; speedup|%.2f");
    List<String> policies = runs.stream().map(Run::policy).distinct().toList();
    for (Disk disk : runs.stream().map(Run::disk).distinct().toList()) {
      double first = seconds(of(runs, policies.get(0), disk)).median();
      for (String policy : policies) {
        List<Run> here = of(runs, policy, disk);
        Summary wall = seconds(here);
        table.row(
            disk.label,
            policy,
            here.size(),
            wall,
            here.get(0).seeks(),
            here.get(0).readBytes() / 1e6,
            first / wall.median());
      }
    }
    return table;
  }

  private static List<Run> of(List<Run> runs, String policy, Disk disk) {
    return runs.stream().filter(run -> run.policy().equals(policy) && run.disk() == disk).toList();
  }

  private static Summary seconds(List<Run> runs) {
    return Summary.of(runs, run -> run.cost().wallSeconds());
  }
}
