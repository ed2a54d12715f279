// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.terasort;

import dev.anemone.evaluation.lab.ByteSize;
import dev.anemone.evaluation.lab.EvaluationDirectory;
import dev.anemone.evaluation.lab.Megabytes;
import dev.anemone.evaluation.lab.NemoJvm;
import dev.anemone.evaluation.lab.experiment.ExperimentCommand;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code evaluation/run terasort}: much data in little memory. */
@Command(
    name = "terasort",
    sortOptions = false,
    description =
        "Generates records, sorts them with NemoRunner in a JVM with little memory, and validates"
            + " the result. Prints times, memory, and what went over the edges.%n")
public final class TeraSortMeasurement extends ExperimentCommand {
  private static final int RECORD_BYTES = 100;

  @Option(
      names = "--bytes",
      defaultValue = "4g",
      converter = ByteSize.class,
      paramLabel = "SIZE",
      description = "What is sorted: bytes, or such as 10k, 200m, 1g (default: ${DEFAULT-VALUE}).")
  private long bytes;

  @Option(
      names = "--heap",
      defaultValue = "1g",
      paramLabel = "SIZE",
      description = "Largest heap, as -Xmx takes it (default: ${DEFAULT-VALUE}).")
  private String heap;

  @Option(
      names = "--off-heap",
      defaultValue = "512m",
      converter = Megabytes.class,
      paramLabel = "SIZE",
      description = "Direct memory, such as 512m or 1g (default: ${DEFAULT-VALUE}).")
  private int offHeapMegabytes;

  @Option(
      names = "--nemo-option",
      paramLabel = "OPTION",
      description =
          "A further option of NemoRunner, such as"
              + " --nemo-option=--optimizationPolicy=LargeShuffle; may be given several times.")
  private List<String> nemoOptions = List.of();

  @Option(
      names = "--deadline",
      defaultValue = "1800",
      paramLabel = "SECONDS",
      description = "After which a program is killed (default: ${DEFAULT-VALUE}).")
  private int deadlineSeconds;

  @Override
  protected boolean measure() throws IOException, InterruptedException {
    require(
        "--bytes", bytes, bytes >= RECORD_BYTES, "a record alone has " + RECORD_BYTES + " bytes");
    EvaluationDirectory evaluation = EvaluationDirectory.ofLauncher();
    TeraSortPlan plan =
        new TeraSortPlan(
            evaluation.results("terasort"),
            evaluation.nemoClassPath(),
            bytes / RECORD_BYTES,
            heap,
            offHeapMegabytes,
            NemoJvm.options(),
            nemoOptions,
            Duration.ofSeconds(deadlineSeconds));
    new TeraSortExperiment(plan, out()).run();
    return true;
  }
}
