// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.workload;

import dev.anemone.evaluation.lab.experiment.CheckedOptions;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** Which policies are compared. */
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

  /**
   * What is compared, in this order.
   *
   * @param options of the runner
   */
  public List<Side> sides(List<String> options) {
    return policies.stream()
        .map(policy -> Side.of(policy, options).with("--parallelism=" + parallelism))
        .toList();
  }

  /** Tasks of every stage that reads a shuffle. */
  public int parallelism() {
    return parallelism;
  }
}
