// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.kernel;

import dev.anemone.evaluation.lab.EvaluationDirectory;
import dev.anemone.evaluation.lab.experiment.ExperimentCommand;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code evaluation/run shuffle-allocation}: what a shuffled record costs on the heap. */
@Command(
    name = "shuffle-allocation",
    sortOptions = false,
    description =
        "Shuffles few records and many, by local files, by pushing, and through a pool of remote"
            + " memory, and prints what a record more allocates on the JVM's heap.%n")
public final class ShuffleAllocation extends ExperimentCommand {
  @Option(
      names = "--records",
      defaultValue = "2000000",
      paramLabel = "N",
      description = "The many; the few are a quarter of them (default: ${DEFAULT-VALUE}).")
  private long records;

  @Option(
      names = "--partitions",
      defaultValue = "20",
      paramLabel = "N",
      description = "Partitions (default: ${DEFAULT-VALUE}).")
  private int partitions;

  @Option(
      names = "--transports",
      split = ",",
      defaultValue = "tcp",
      paramLabel = "NAME,...",
      description = "How the pool is reached: tcp, ucx (default: ${DEFAULT-VALUE}).")
  private List<String> transports;

  @Option(
      names = "--runs",
      defaultValue = "3",
      paramLabel = "N",
      description = "JVMs for each path (default: ${DEFAULT-VALUE}).")
  private int runs;

  @Override
  protected boolean measure() throws IOException, InterruptedException {
    if (records < 4 || partitions < 1 || runs < 1) {
      throw wrong(
          "--records="
              + records
              + " must be at least 4, --partitions="
              + partitions
              + " and --runs="
              + runs
              + " at least 1.");
    }
    EvaluationDirectory evaluation = EvaluationDirectory.ofLauncher();
    AllocationPlan plan =
        new AllocationPlan(
            evaluation.results("shuffle-allocation"),
            evaluation.ownClassPath(),
            records / 4,
            records,
            partitions,
            64,
            transports,
            runs,
            Duration.ofMinutes(15));
    new AllocationExperiment(plan, out()).run();
    return true;
  }
}
