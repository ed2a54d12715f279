// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.robust.ndpfuzz;

import dev.anemone.evaluation.lab.EvaluationDirectory;
import dev.anemone.evaluation.lab.experiment.ExperimentCommand;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code evaluation/run ndp-fuzz}: requests at random at a proxy. */
@Command(
    name = "ndp-fuzz",
    sortOptions = false,
    description =
        "Sends right and damaged requests with plans to a proxy beside a data node. Each must be"
            + " answered, or refused with a reason, and no other file be read.%n")
public final class NdpFuzz extends ExperimentCommand {
  @Option(
      names = "--requests",
      defaultValue = "10000",
      paramLabel = "N",
      description = "How many (default: ${DEFAULT-VALUE}).")
  private int requests;

  @Option(
      names = "--seed",
      defaultValue = "1",
      paramLabel = "N",
      description = "Other requests with another one (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Override
  protected boolean measure() throws IOException, InterruptedException {
    require("--requests", requests, requests >= 1, "there must be a request");
    FuzzFigures figures =
        new FuzzExperiment(
                EvaluationDirectory.ofLauncher().results("ndp-fuzz"), requests, seed, out(), err())
            .run();
    return figures.wrong().isEmpty();
  }
}
