// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.kernel;

import dev.anemone.evaluation.lab.ByteSize;
import dev.anemone.evaluation.lab.EvaluationDirectory;
import dev.anemone.evaluation.lab.Megabytes;
import dev.anemone.evaluation.lab.NemoJvm;
import dev.anemone.evaluation.lab.experiment.ExperimentCommand;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code evaluation/run shuffle-kernel}: sort, spill and merge beside those of Tez. */
@Command(
    name = "shuffle-kernel",
    sortOptions = false,
    description =
        "Sorts records of 100 bytes into partitions, spills, merges, and reads all partitions back:"
            + " with Anemone's shuffle, and with Tez's sorted output and grouped input. Prints"
            + " throughput and allocation, as JMH measures them.%n")
public final class ShuffleKernelMeasurement extends ExperimentCommand {
  private static final int LEAST_MEMORY_MB = 16;

  @Option(
      names = "--bytes",
      defaultValue = "1g",
      converter = ByteSize.class,
      paramLabel = "SIZE",
      description =
          "What is shuffled: bytes, or such as 10k, 200m, 1g (default: ${DEFAULT-VALUE}).")
  private long bytes;

  @Option(
      names = "--partitions",
      defaultValue = "100",
      paramLabel = "N",
      description = "Partitions (default: ${DEFAULT-VALUE}).")
  private int partitions;

  @Option(
      names = "--memory",
      defaultValue = "256m",
      converter = Megabytes.class,
      paramLabel = "SIZE",
      description =
          "Memory of the writer, and after it of each reader: off the heap for Anemone, on it for"
              + " Tez (default: ${DEFAULT-VALUE}).")
  private int memoryMegabytes;

  @Option(
      names = "--heap",
      defaultValue = "1g",
      paramLabel = "SIZE",
      description = "Largest heap of every JVM, as -Xmx takes it (default: ${DEFAULT-VALUE}).")
  private String heap;

  @Option(
      names = "--runs",
      defaultValue = "3",
      paramLabel = "N",
      description =
          "Measured shuffles of each kernel, after one that is not measured (default:"
              + " ${DEFAULT-VALUE}).")
  private int runs;

  @Override
  protected boolean measure() throws IOException {
    if (runs < 1 || partitions < 1) {
      throw wrong("--runs=" + runs + " and --partitions=" + partitions + " must be at least 1.");
    }
    if (memoryMegabytes < LEAST_MEMORY_MB) {
      throw wrong(
          "--memory="
              + memoryMegabytes
              + "m: the kernels need at least "
              + LEAST_MEMORY_MB
              + " MB.");
    }
    List<String> jvmOptions = NemoJvm.options(heap);
    new KernelComparison(
            EvaluationDirectory.ofLauncher().results("shuffle-kernel"), jvmOptions, out())
        .run(bytes, partitions, (long) memoryMegabytes << 20, runs);
    return true;
  }
}
