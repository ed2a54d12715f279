// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.diskreads;

import dev.anemone.evaluation.lab.ByteSize;
import dev.anemone.evaluation.lab.EvaluationDirectory;
import dev.anemone.evaluation.lab.NemoJvm;
import dev.anemone.evaluation.lab.experiment.ExperimentCommand;
import dev.anemone.evaluation.lab.workload.WorkloadOptions;
import dev.anemone.evaluation.lab.workload.WorkloadProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code evaluation/run disk-reads}: how the disk reads of a shuffle grow with its tasks. */
@Command(
    name = "disk-reads",
    sortOptions = false,
    description =
        "Shuffles with more and more tasks, with the default policy and with LargeShuffle, and"
            + " counts the reads of the disk. Prints a table and draws the curves.%n")
public final class DiskReads extends ExperimentCommand {
  @Option(
      names = "--parallelism",
      defaultValue = "50,200,500",
      split = ",",
      paramLabel = "LIST",
      description =
          "Producers, and as many consumers, of each shuffle (default: ${DEFAULT-VALUE}).")
  private List<Integer> parallelisms;

  @Option(
      names = "--bytes-per-block",
      defaultValue = "2k",
      converter = ByteSize.class,
      paramLabel = "SIZE",
      description =
          "What every producer has for every consumer, on average (default: ${DEFAULT-VALUE}).")
  private long bytesPerBlock;

  @Mixin private WorkloadOptions workload;

  @Override
  protected boolean measure() throws IOException, InterruptedException {
    for (int parallelism : parallelisms) {
      require("--parallelism", parallelism, parallelism >= 1, "a shuffle needs at least one task");
    }
    EvaluationDirectory evaluation = EvaluationDirectory.ofLauncher();
    Path directory = evaluation.results("disk-reads");
    WorkloadProcess process =
        workload.process(directory, evaluation.ownClassPath(), NemoJvm.options());
    new DiskReadsExperiment(directory, process, out(), err())
        .run(workload.sides(), parallelisms, bytesPerBlock, workload.seed());
    return true;
  }
}
