// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.wordcount;

import dev.anemone.evaluation.lab.experiment.ProgramOptions;
import dev.anemone.evaluation.lab.peer.InterleavedRuns.RunnerSetup;
import dev.anemone.runtime.clock.TaskClock;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code evaluation/run clock-cost}: what it costs that tasks know where their time goes: the same
 * word count with their clocks, and with clocks that stand still.
 */
@Command(name = "clock-cost")
public final class ClockCost extends WordCountCommand {
  @Option(
      names = "--producers",
      description = "Tasks that read the text, at least: it lies in as many files.")
  private int producers = 40;

  @Mixin private ProgramOptions programs = new ProgramOptions("2g", 900);

  @Override
  protected void check() {
    require(
        "--producers",
        producers,
        producers >= 1 && producers <= text().bytes(),
        "there must be at least one task that reads, and a byte for each");
  }

  @Override
  protected boolean measure() throws IOException, InterruptedException {
    List<RunnerSetup> runners =
        List.of(
            RunnerSetup.nemo("clocks stand still", evaluation(), programs.nemoOptions())
                .withJvmOptions(List.of("-D" + TaskClock.OFF_PROPERTY + "=true")),
            RunnerSetup.nemo("clocks run", evaluation(), programs.nemoOptions()));
    return compare(producers, runners, programs);
  }
}
