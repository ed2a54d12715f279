// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.diskbatching;

import dev.anemone.evaluation.lab.ByteSize;
import dev.anemone.evaluation.lab.EvaluationDirectory;
import dev.anemone.evaluation.lab.NemoJvm;
import dev.anemone.evaluation.lab.experiment.ExperimentCommand;
import dev.anemone.evaluation.lab.workload.ShuffleShape;
import dev.anemone.evaluation.lab.workload.WorkloadOptions;
import dev.anemone.evaluation.lab.workload.WorkloadProcess;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code evaluation/run disk-batching}: disk read batching on a disk with a moving head. */
@Command(
    name = "disk-batching",
    sortOptions = false,
    description =
        "Shuffles with the default policy and with LargeShuffle, on a disk whose reads per second"
            + " are throttled and on the same disk as it is. Prints the times of the whole"
            + " processes. Must run as root.%n")
public final class DiskBatching extends ExperimentCommand {
  private static final int PROOF_SECONDS = 3;

  @Option(
      names = "--bytes",
      defaultValue = "2g",
      converter = ByteSize.class,
      paramLabel = "SIZE",
      description =
          "What is shuffled: bytes, or such as 10k, 200m, 1g (default: ${DEFAULT-VALUE}).")
  private long bytes;

  @Option(
      names = "--parallelism",
      defaultValue = "500",
      paramLabel = "N",
      description = "Producers, and as many consumers (default: ${DEFAULT-VALUE}).")
  private int parallelism;

  @Option(
      names = "--riops",
      defaultValue = "3000",
      paramLabel = "N",
      description = "Reads per second of the throttled disk (default: ${DEFAULT-VALUE}).")
  private int readsPerSecond;

  @Option(
      names = "--runs",
      defaultValue = "3",
      paramLabel = "N",
      description =
          "How often each policy runs on the throttled disk, and on the disk as it is (default:"
              + " ${DEFAULT-VALUE}).")
  private int runs;

  @Option(
      names = "--disk",
      paramLabel = "DIRECTORY",
      description = "A directory on the disk to measure (default: where the results are).")
  private Path disk;

  @Mixin private WorkloadOptions workload;

  @Override
  protected boolean measure() throws IOException, InterruptedException {
    require("--parallelism", parallelism, parallelism >= 1, "a shuffle needs at least one task");
    require(
        "--riops",
        readsPerSecond,
        readsPerSecond >= 1,
        "a disk must allow at least one read per second");
    require("--runs", runs, runs >= 1, "a policy must run at least once");
    EvaluationDirectory evaluation = EvaluationDirectory.ofLauncher();
    Path results = evaluation.results("disk-batching");
    Path directory = disk == null ? results : disk.toAbsolutePath();
    WorkloadProcess process =
        workload.process(directory, evaluation.ownClassPath(), NemoJvm.options());
    DiskBatchingPlan plan =
        new DiskBatchingPlan(
            results,
            directory,
            evaluation.ownClassPath(),
            workload.sides(),
            ShuffleShape.ofBytes(parallelism, parallelism, bytes, workload.seed()),
            runs,
            readsPerSecond,
            PROOF_SECONDS,
            workload.jvmOptions());
    new DiskBatchingExperiment(plan, process, out(), err()).run();
    return true;
  }
}
