// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.wordcount;

import dev.anemone.evaluation.lab.ByteSize;
import dev.anemone.evaluation.lab.EvaluationDirectory;
import dev.anemone.evaluation.lab.NemoJvm;
import dev.anemone.evaluation.lab.experiment.ExperimentCommand;
import dev.anemone.evaluation.lab.workload.PolicyOptions;
import dev.anemone.evaluation.lab.workload.Side;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code evaluation/run skew-overhead}: what skew handling costs where there is no skew. Partial
 * counts are added up before the shuffle, so a task that reads it gets about as much of a frequent
 * word as of a rare one.
 */
@Command(
    name = "skew-overhead",
    sortOptions = false,
    description =
        "Counts the words of a generated text with each policy, each run in a fresh JVM, the"
            + " policies in turn. Checks every count. Prints times of the whole processes.%n")
public final class SkewOverhead extends ExperimentCommand {
  /** The runner's options that do not let a task read several parts of the input. */
  static final List<String> A_TASK_FOR_EVERY_FILE = List.of("--passOptions=targetBytesPerTask=1");

  @Option(
      names = "--bytes",
      defaultValue = "200m",
      converter = ByteSize.class,
      paramLabel = "SIZE",
      description =
          "Size of the text: bytes, or such as 10k, 200m, 1g (default: ${DEFAULT-VALUE}).")
  private long bytes;

  @Option(
      names = "--words",
      defaultValue = "200000",
      paramLabel = "N",
      description = "Size of the vocabulary (default: ${DEFAULT-VALUE}).")
  private int distinctWords;

  @Option(
      names = "--seed",
      defaultValue = "1",
      paramLabel = "N",
      description = "Seed of the random numbers (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--producers",
      defaultValue = "40",
      paramLabel = "N",
      description =
          "Tasks that read the text, at least: it lies in as many files (default:"
              + " ${DEFAULT-VALUE}).")
  private int producers;

  @Mixin private PolicyOptions policies;

  @Override
  protected boolean measure() throws IOException, InterruptedException {
    if (producers < 1 || producers > bytes) {
      throw wrong(
          "--producers="
              + producers
              + ": there must be at least one task that reads, and a byte for each.");
    }
    List<Side> sides = policies.sides(A_TASK_FOR_EVERY_FILE);
    EvaluationDirectory evaluation = EvaluationDirectory.ofLauncher();
    ComparisonPlan plan =
        new ComparisonPlan(
            evaluation.results("skew-overhead"),
            bytes,
            producers,
            distinctWords,
            seed,
            runners(sides, evaluation.nemoClassPath(), NemoJvm.options()),
            policies.runs(),
            policies.jvmOptions(),
            policies.deadline());
    return new Comparison(plan, out(), err()).run();
  }

  /** One runner for each policy, called by its name. */
  static List<RunnerSetup> runners(List<Side> sides, String classPath, List<String> jvmOptions) {
    List<RunnerSetup> runners = new ArrayList<>();
    for (Side side : sides) {
      List<String> arguments = new ArrayList<>(List.of("--runner=NemoRunner", "--progress=off"));
      arguments.addAll(side.runnerOptions());
      runners.add(new RunnerSetup(side.policy(), classPath, jvmOptions, arguments));
    }
    return runners;
  }
}
