// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.process;

import dev.anemone.evaluation.lab.ExperimentFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/** How a process ended: without an exit code it was killed at its deadline. */
public record ProcessFigures(OptionalInt exitCode, ProcessCost cost, Path log, Duration deadline) {
  private static final int LOG_LINES = 15;

  /** Whether the process ended by itself and reported success. */
  public boolean succeeded() {
    return exitCode.isPresent() && exitCode.getAsInt() == 0;
  }

  /** Why it did not succeed; empty if it did. */
  public Optional<String> problem() throws IOException {
    if (exitCode.isEmpty()) {
      return Optional.of("killed after " + deadline.toSeconds() + " s");
    }
    return succeeded()
        ? Optional.empty()
        : Optional.of(
            "failed with exit code %s. The end of its log, %s:%n%s"
                .formatted(exitCode.getAsInt(), log, MeasuredProcess.lastMessages(log, LOG_LINES)));
  }

  /** Fails if it did not succeed; the message has the process's name. */
  public ProcessFigures requireSuccess(String name) throws IOException {
    if (exitCode.isEmpty()) {
      throw new ExperimentFailure(
          "%s was killed after %d s. Its log is %s. Give it more time with --deadline, or less to"
              + " do.",
          name, deadline.toSeconds(), log);
    }
    Optional<String> problem = problem();
    if (problem.isPresent()) {
      throw new ExperimentFailure("%s %s", name, problem.get());
    }
    return this;
  }

  /**
   * What a process cost, from its start to its end.
   *
   * @param wallSeconds from before its start to after its end
   * @param userCpuSeconds on a processor outside the kernel, all threads and ended children; what
   *     falls into the last {@link MeasuredProcess#SAMPLING_INTERVAL} may be missing
   * @param systemCpuSeconds on a processor in the kernel, likewise
   * @param peakResidentBytes the most memory that it had in RAM, without its children
   */
  public record ProcessCost(
      double wallSeconds, double userCpuSeconds, double systemCpuSeconds, long peakResidentBytes) {
    /** The most memory that it had in RAM, in MB. */
    public double peakMegabytes() {
      return peakResidentBytes / 1e6;
    }

    /** How many processors it used, on average. */
    public double meanProcessors() {
      return (userCpuSeconds + systemCpuSeconds) / wallSeconds;
    }
  }
}
