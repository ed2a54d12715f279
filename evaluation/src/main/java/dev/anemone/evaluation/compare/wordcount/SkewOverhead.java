// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.wordcount;

import dev.anemone.evaluation.lab.experiment.ProgramOptions;
import dev.anemone.evaluation.lab.peer.InterleavedRuns.RunnerSetup;
import dev.anemone.evaluation.lab.workload.PolicyOptions;
import dev.anemone.evaluation.lab.workload.PolicyOptions.Side;
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
@Command(name = "skew-overhead")
public final class SkewOverhead extends WordCountCommand {
  /** The runner's option that does not let a task read several parts of the input. */
  private static final String A_TASK_FOR_EVERY_FILE = "--passOptions=targetBytesPerTask=1";

  @Option(
      names = "--producers",
      description = "Tasks that read the text, at least: it lies in as many files.")
  private int producers = 40;

  @Mixin private PolicyOptions policies;
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
    List<RunnerSetup> runners = new ArrayList<>();
    for (Side side : policies.sides(programs.nemoOptions())) {
      runners.add(
          RunnerSetup.nemo(
              side.policy(), evaluation(), side.with(A_TASK_FOR_EVERY_FILE).runnerOptions()));
    }
    return compare(producers, runners, programs);
  }
}
