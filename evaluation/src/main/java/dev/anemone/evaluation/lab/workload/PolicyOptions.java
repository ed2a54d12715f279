// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.workload;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Options of every experiment that compares policies, each in JVMs of its own. */
public final class PolicyOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Option(
      names = "--policies",
      defaultValue = "Default,DataSkew",
      split = ",",
      paramLabel = "LIST",
      description =
          "Policies to compare; the others are compared with the first one (default:"
              + " ${DEFAULT-VALUE}).")
  private List<String> policies;

  @Option(
      names = "--runs",
      defaultValue = "3",
      paramLabel = "N",
      description = "How often each policy runs (default: ${DEFAULT-VALUE}).")
  private int runs;

  @Option(
      names = "--parallelism",
      defaultValue = "8",
      paramLabel = "N",
      description = "Tasks of every stage that reads a shuffle (default: ${DEFAULT-VALUE}).")
  private int parallelism;

  @Option(
      names = "--heap",
      defaultValue = "2g",
      paramLabel = "SIZE",
      description =
          "Largest heap of every JVM, as -Xmx takes it, and as much direct memory (default:"
              + " ${DEFAULT-VALUE}).")
  private String heap;

  @Option(
      names = "--jvm-option",
      paramLabel = "OPTION",
      description = "A further option of every JVM; may be given several times.")
  private List<String> jvmOptions = List.of();

  @Option(
      names = "--nemo-option",
      paramLabel = "OPTION",
      description =
          "A further option of NemoRunner for every run, such as --nemo-option=--taskMemoryMb=64;"
              + " may be given several times.")
  private List<String> nemoOptions = List.of();

  @Option(
      names = "--deadline",
      defaultValue = "900",
      paramLabel = "SECONDS",
      description = "After which a run is killed (default: ${DEFAULT-VALUE}).")
  private int deadlineSeconds;

  /**
   * What is compared, in this order.
   *
   * @param moreOptions of the runner, behind those that the user gave
   * @throws ParameterException if there is nothing to run
   */
  public List<Side> sides(List<String> moreOptions) {
    requirePositive("--runs", runs, "a policy must run at least once");
    requirePositive("--parallelism", parallelism, "a shuffle needs at least one task");
    List<String> options = new ArrayList<>(List.of("--parallelism=" + parallelism));
    options.addAll(nemoOptions);
    options.addAll(moreOptions);
    return policies.stream().map(policy -> Side.of(policy, options)).toList();
  }

  private void requirePositive(String option, int value, String reason) {
    if (value < 1) {
      throw new ParameterException(
          command.commandLine(), option + "=" + value + ": " + reason + ".");
    }
  }

  /** How often each policy runs. */
  public int runs() {
    return runs;
  }

  /** Tasks of every stage that reads a shuffle. */
  public int parallelism() {
    return parallelism;
  }

  /** The options of every JVM that differ from the defaults. */
  public List<String> jvmOptions() {
    List<String> options = new ArrayList<>(List.of("-Xmx" + heap));
    options.addAll(jvmOptions);
    return options;
  }

  /** After which a run is killed. */
  public Duration deadline() {
    return Duration.ofSeconds(deadlineSeconds);
  }
}
