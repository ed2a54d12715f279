// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.workload;

import dev.anemone.evaluation.lab.experiment.ExperimentCommand.CheckedOptions;
import dev.anemone.evaluation.lab.process.Arguments;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Option;

public final class PolicyOptions implements CheckedOptions {
  @Option(
      names = "--policies",
      defaultValue = "Default,DataSkew",
      split = ",",
      paramLabel = "LIST",
      description = "Policies to compare; the others are compared with the first one.")
  private List<String> policies;

  @Option(names = "--parallelism", description = "Tasks of every stage that reads a shuffle.")
  private int parallelism = 8;

  @Override
  public void check(CommandLine command) {
    CheckedOptions.requirePositive(
        command, "--parallelism", parallelism, "a shuffle needs at least one task");
  }

  public List<Side> sides(List<String> options) {
    return policies.stream()
        .map(policy -> Side.of(policy, options).with("--parallelism=" + parallelism))
        .toList();
  }

  /** Tasks of every stage that reads a shuffle. */
  public int parallelism() {
    return parallelism;
  }

  /** A policy, with the options that make NemoRunner use it. */
  public record Side(String policy, List<String> runnerOptions) {
    /** What a user gets who asks for nothing. */
    public static final String DEFAULT = "Default";

    /** Batches disk reads, as Riffle and Sailfish do. */
    public static final String LARGE_SHUFFLE = "LargeShuffle";

    /** The default policy, then the one that batches disk reads, each with the same options. */
    public static List<Side> both(List<String> runnerOptions) {
      return List.of(of(DEFAULT, runnerOptions), of(LARGE_SHUFFLE, runnerOptions));
    }

    /** A policy, with further options of the runner. */
    public static Side of(String policy, List<String> runnerOptions) {
      return new Side(policy, runnerOptions).with("--optimizationPolicy=" + policy);
    }

    public Side with(String option) {
      return new Side(policy, Arguments.of(runnerOptions, option));
    }
  }
}
