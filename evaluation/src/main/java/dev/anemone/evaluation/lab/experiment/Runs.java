// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.experiment;

import dev.anemone.evaluation.lab.experiment.ExperimentCommand.CheckedOptions;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** How often an experiment measures the same. */
public final class Runs implements CheckedOptions {
  @Option(
      names = "--runs",
      description = "How often each figure is measured; what is compared takes turns.")
  private int count;

  public Runs(int usual) {
    count = usual;
  }

  public int count() {
    return count;
  }

  @Override
  public void check(CommandLine command) {
    CheckedOptions.requirePositive(command, "--runs", count, "there must be at least one run");
  }
}
