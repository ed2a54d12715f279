// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.cluster;

import dev.anemone.evaluation.lab.Megabytes;
import dev.anemone.evaluation.lab.experiment.ExperimentCommand.CheckedOptions;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The containers that every side of a comparison on a cluster gets. */
public final class ExecutorOptions implements CheckedOptions {
  /** Of a node, for an application master: that of NemoRunner has so much by default. */
  static final int MASTER_MB = 1024;

  /** Spark's default of {@code spark.executor.memoryOverheadFactor} is a tenth of the heap. */
  private static final int HEAPS_AND_OVERHEADS = 11;

  /** Spark's default of {@code spark.executor.minMemoryOverhead}. */
  private static final int LEAST_OVERHEAD_MB = 384;

  @Option(names = "--nodes", description = "Nodes of the cluster; each has room for one executor.")
  private int nodes = 3;

  @Option(
      names = "--executor-memory",
      defaultValue = "4g",
      converter = Megabytes.class,
      paramLabel = "SIZE",
      description = "Memory of an executor's container, such as 4g; of either side.")
  private int memoryMb;

  @Option(names = "--executor-cores", description = "Virtual cores of an executor.")
  private int cores = 1;

  @Option(
      names = "--spark-option",
      paramLabel = "KEY=VALUE",
      description = "A further setting of Spark; may be given several times.")
  private List<String> sparkOptions = List.of();

  /** What a report says of the containers. */
  public record Executors(int count, int memoryMb, int cores) {
    @Override
    public String toString() {
      return "%d executors of %d MB and %d %s"
          .formatted(count, memoryMb, cores, cores == 1 ? "core" : "cores");
    }
  }

  @Override
  public void check(CommandLine command) {
    CheckedOptions.requirePositive(command, "--nodes", nodes, "there must be a node");
    CheckedOptions.requirePositive(
        command, "--executor-cores", cores, "an executor has at least one core");
    if (memoryMb <= MASTER_MB) {
      throw new ParameterException(
          command,
          "--executor-memory="
              + memoryMb
              + "m: give more than "
              + MASTER_MB
              + "m, or a node would have room for two executors.");
    }
    for (String option : sparkOptions) {
      if (!option.matches("spark\\.[^=]+=.*")) {
        throw new ParameterException(
            command, "--spark-option=" + option + ": give spark.NAME=VALUE.");
      }
    }
  }

  public Executors executors() {
    return new Executors(nodes, memoryMb, cores);
  }

  /** The heap of an executor of Spark, whose container is as large as ours by Spark's own rule. */
  int sparkHeapMb() {
    return memoryMb - sparkOverheadMb();
  }

  int sparkOverheadMb() {
    return Math.max(LEAST_OVERHEAD_MB, memoryMb / HEAPS_AND_OVERHEADS);
  }

  List<String> sparkOptions() {
    return sparkOptions;
  }
}
