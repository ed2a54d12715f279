// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.poolgroupby;

import dev.anemone.evaluation.lab.ByteSize;
import dev.anemone.evaluation.lab.EvaluationDirectory;
import dev.anemone.evaluation.lab.NemoJvm;
import dev.anemone.evaluation.lab.experiment.ExperimentCommand;
import dev.anemone.evaluation.lab.workload.ShuffleShape;
import dev.anemone.evaluation.lab.workload.SideInputProgram;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code evaluation/run pool-groupby-broadcast}: the two other workloads of Crail's slides. */
@Command(
    name = "pool-groupby-broadcast",
    sortOptions = false,
    description =
        "Groups records, and reads a broadcast variable in many tasks, with their bytes in local"
            + " files, pushed, and in a pool of remote memory. Prints times.%n")
public final class PoolGroupBy extends ExperimentCommand {
  /** Of the pool, for each byte that is grouped or broadcast. */
  private static final int POOL_BYTES_PER_BYTE = 3;

  private static final int LEAST_POOL_MEGABYTES = 512;

  @Option(
      names = "--bytes",
      defaultValue = "200m",
      converter = ByteSize.class,
      paramLabel = "SIZE",
      description = "What is grouped (default: ${DEFAULT-VALUE}).")
  private long bytes;

  @Option(
      names = "--broadcast-bytes",
      defaultValue = "50m",
      converter = ByteSize.class,
      paramLabel = "SIZE",
      description = "What is broadcast (default: ${DEFAULT-VALUE}).")
  private long broadcastBytes;

  @Option(
      names = "--tasks",
      defaultValue = "16",
      paramLabel = "N",
      description = "Tasks before and behind the group-by (default: ${DEFAULT-VALUE}).")
  private int tasks;

  @Option(
      names = "--lookups",
      defaultValue = "100000",
      paramLabel = "N",
      description = "Keys that are looked up in the broadcast (default: ${DEFAULT-VALUE}).")
  private long lookups;

  @Option(
      names = "--transport",
      defaultValue = "tcp",
      paramLabel = "NAME",
      description = "How the pool is reached: tcp or ucx (default: ${DEFAULT-VALUE}).")
  private String transport;

  @Option(
      names = "--heap",
      defaultValue = "512m",
      paramLabel = "SIZE",
      description =
          "Largest heap of the measured JVMs, as -Xmx takes it, and as much direct memory"
              + " (default: ${DEFAULT-VALUE}).")
  private String heap;

  @Option(
      names = "--runs",
      defaultValue = "3",
      paramLabel = "N",
      description = "Runs of each program on each side, in turns (default: ${DEFAULT-VALUE}).")
  private int runs;

  @Option(
      names = "--deadline",
      defaultValue = "600",
      paramLabel = "SECONDS",
      description = "After which a run is killed (default: ${DEFAULT-VALUE}).")
  private int deadlineSeconds;

  @Override
  protected boolean measure() throws IOException, InterruptedException {
    long pairs = broadcastBytes / SideInputProgram.VALUE_BYTES / 2 * 2;
    if (pairs < 2 || lookups < 1 || runs < 1 || tasks < 1) {
      throw wrong(
          "--broadcast-bytes="
              + broadcastBytes
              + " must be two values of "
              + SideInputProgram.VALUE_BYTES
              + " bytes at least, --lookups="
              + lookups
              + ", --tasks="
              + tasks
              + " and --runs="
              + runs
              + " at least 1.");
    }
    EvaluationDirectory evaluation = EvaluationDirectory.ofLauncher();
    List<String> jvmOptions = NemoJvm.options(heap);
    GroupByPlan plan =
        new GroupByPlan(
            evaluation.results("pool-groupby-broadcast"),
            evaluation.ownClassPath(),
            ShuffleShape.ofBytes(tasks, tasks, bytes, 1),
            pairs,
            lookups,
            transport,
            Math.toIntExact(
                LEAST_POOL_MEGABYTES + POOL_BYTES_PER_BYTE * ((bytes + broadcastBytes) >> 20)),
            jvmOptions,
            runs,
            Duration.ofSeconds(deadlineSeconds));
    new GroupByExperiment(plan, out()).run();
    return true;
  }
}
