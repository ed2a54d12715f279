// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.pushwires;

import dev.anemone.evaluation.lab.ByteSize;
import dev.anemone.evaluation.lab.EvaluationDirectory;
import dev.anemone.evaluation.lab.experiment.ExperimentCommand;
import dev.anemone.runtime.push.wires.InstalledWires;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code evaluation/run push-wires}: how fast tasks push over Netty and over the transports. */
@Command(
    name = "push-wires",
    sortOptions = false,
    description =
        "Lets a task push the same bytes to a receiver over Netty and over each transport, in"
            + " turns, and prints rates and processor time.%n")
public final class PushWiresMeasurement extends ExperimentCommand {
  private static final long LEAST_BYTES = 1 << 20;
  private static final long MOST_BYTES = 1 << 30;

  @Option(
      names = "--bytes",
      defaultValue = "128m",
      converter = ByteSize.class,
      paramLabel = "SIZE",
      description = "What a task pushes: bytes, or such as 10m (default: ${DEFAULT-VALUE}).")
  private long bytes;

  @Option(
      names = "--wires",
      split = ",",
      defaultValue = "netty,tcp,ucx",
      paramLabel = "NAME,...",
      description = "What it pushes over (default: ${DEFAULT-VALUE}).")
  private List<String> wires;

  @Option(
      names = "--runs",
      defaultValue = "7",
      paramLabel = "N",
      description = "Tasks of each wire, in turns (default: ${DEFAULT-VALUE}).")
  private int runs;

  @Override
  protected boolean measure() throws IOException, InterruptedException {
    if (bytes < LEAST_BYTES || bytes > MOST_BYTES || runs < 1) {
      throw wrong("--bytes=" + bytes + " must be from 1m to 1g, --runs=" + runs + " at least 1.");
    }
    if (!InstalledWires.names().containsAll(wires)) {
      throw wrong("--wires=" + wires + ": there are " + InstalledWires.names() + ".");
    }
    EvaluationDirectory evaluation = EvaluationDirectory.ofLauncher();
    PushWiresPlan plan =
        new PushWiresPlan(
            evaluation.results("push-wires"),
            evaluation.ownClassPath(),
            bytes,
            wires,
            runs,
            Duration.ofMinutes(2));
    new PushWiresExperiment(plan, out()).run();
    return true;
  }
}
