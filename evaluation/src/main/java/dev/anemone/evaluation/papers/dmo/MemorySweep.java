// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.dmo;

import dev.anemone.evaluation.lab.pool.PoolServerProcess.Traffic;
import dev.anemone.evaluation.lab.process.Arguments;
import dev.anemone.evaluation.lab.report.Summary;
import dev.anemone.evaluation.papers.dmo.Kind.Size;
import dev.anemone.evaluation.papers.figure.FigureRun;
import dev.anemone.evaluation.papers.job.JobCost;
import dev.anemone.evaluation.papers.job.JobRuns;
import dev.anemone.evaluation.papers.job.PooledRun;
import dev.anemone.evaluation.papers.job.Workload;
import dev.anemone.rdma.pool.TierOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.ToDoubleFunction;

/**
 * A workload with less and less memory, and its data in every place: what Figures 7 to 9 and Table
 * III show of it.
 *
 * @param workload in a sentence
 * @param inputBytes that it reads
 * @param poolMegabytes that a pool has besides
 * @param memory from much to little
 * @param runs in the order in which they ran
 */
record MemorySweep(
    String workload, long inputBytes, long poolMegabytes, List<Memory> memory, List<Run> runs) {
  private static final Duration DEADLINE = Duration.ofMinutes(15);

  /** Where a file is in memory as one of persistent memory would be. */
  private static final Path PERSISTENT = Path.of("/dev/shm");

  /**
   * @param cost empty when it did not finish with its memory
   * @param traffic of the pool's server; empty without one
   */
  record Run(Place place, Memory memory, Optional<JobCost> cost, Optional<Traffic> traffic) {}

  static MemorySweep of(FigureRun figures, Kind kind) throws Exception {
    return figures.once(
        kind,
        MemorySweep.class,
        () -> measure(figures, kind, figures.isFull() ? Size.FULL : Size.SMALL));
  }

  static MemorySweep measure(FigureRun figures, Kind kind, Size size)
      throws IOException, InterruptedException {
    Path directory = Files.createDirectories(figures.directory().resolve("dmo-" + kind.letter()));
    JobRuns lab = new JobRuns(figures, directory, DEADLINE);
    List<Run> runs = new ArrayList<>();
    try (Workload workload = kind.workload(figures, directory, size)) {
      for (Memory memory : size.memory()) {
        for (int round = 0; round < size.rounds(); round++) {
          List<Place> order = new ArrayList<>(Arrays.asList(Place.values()));
          Collections.rotate(order, round);
          for (Place place : order) {
            Run run = run(lab, workload, place, memory);
            runs.add(run);
            figures.progress(
                String.format(
                    Locale.ROOT,
                    "%s, %d:%d MB, round %d, %s: %s",
                    kind.paper(),
                    memory.heapMegabytes(),
                    memory.directMegabytes(),
                    round + 1,
                    place.title(),
                    run.cost()
                        .map(
                            cost ->
                                String.format(
                                    Locale.ROOT,
                                    "%.1f s, %.2f s of GC",
                                    cost.seconds(),
                                    cost.gcSeconds()))
                        .orElse("did not finish")));
          }
        }
      }
      return new MemorySweep(
          workload.describe(),
          workload.inputBytes(),
          PooledRun.poolBytes(workload) >> 20,
          size.memory(),
          List.copyOf(runs));
    }
  }

  private static Run run(JobRuns lab, Workload workload, Place place, Memory memory)
      throws IOException, InterruptedException {
    List<String> options = memory.runnerOptions(place.isCached());
    if (!place.isPooled()) {
      return new Run(
          place,
          memory,
          lab.run(
              place.title(),
              workload,
              place.jvmOptions(memory),
              Arguments.of("--optimizationPolicy=Default", options)),
          Optional.empty());
    }
    long bytes = PooledRun.poolBytes(workload);
    PooledRun run =
        PooledRun.of(
            lab,
            workload,
            place == Place.PMEM ? TierOptions.pmem(PERSISTENT, bytes) : TierOptions.dram(bytes),
            place.title(),
            place.jvmOptions(memory),
            options);
    return new Run(place, memory, run.cost(), Optional.of(run.traffic()));
  }

  String setUp() {
    return String.format(
        Locale.ROOT,
        "%s, %,d MB of input, in one JVM with the heap and direct memory of the axis; %d runs, the"
            + " places in turn. Files are read from %s; beside them the same files in memory. A pool,"
            + " one server over loopback TCP, has %,d MB besides; what files take of the kernel's"
            + " cache is not counted either. PMEM is a mapped file in %s. The paper has 60"
            + " executors of 1 to 20 GB, and does not tell its disks.",
        workload,
        inputBytes / 1_000_000,
        runs.size() / memory.size() / Place.values().length,
        Place.disk(),
        poolMegabytes,
        PERSISTENT);
  }

  /** The median of what runs cost; not a number when one of them did not finish. */
  double median(Place place, Memory amount, ToDoubleFunction<JobCost> figure) {
    List<Run> there = there(place, amount);
    return there.stream().allMatch(run -> run.cost().isPresent())
        ? Summary.of(there, run -> figure.applyAsDouble(run.cost().orElseThrow())).median()
        : Double.NaN;
  }

  /** The median of what a pool has received or sent for the runs; 0 without one. */
  double traffic(Place place, Memory amount, ToDoubleFunction<Traffic> figure) {
    return Summary.of(
            there(place, amount), run -> run.traffic().map(figure::applyAsDouble).orElse(0.0))
        .median();
  }

  private List<Run> there(Place place, Memory amount) {
    return runs.stream()
        .filter(run -> run.place() == place && run.memory().equals(amount))
        .toList();
  }

  /** The least MB with which all runs finished. */
  OptionalInt leastMegabytes(Place place) {
    return memory.stream()
        .filter(amount -> !Double.isNaN(median(place, amount, JobCost::seconds)))
        .mapToInt(Memory::megabytes)
        .min();
  }

  /**
   * A figure in one place by that in another, for each memory with which both finished, from much
   * to little.
   */
  List<Double> ratios(Place place, Place other, ToDoubleFunction<JobCost> figure) {
    return memory.stream()
        .map(amount -> median(place, amount, figure) / median(other, amount, figure))
        .filter(ratio -> !ratio.isNaN() && !ratio.isInfinite())
        .toList();
  }
}
