// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.engine;

import java.util.Objects;
import java.util.Optional;

/**
 * Where a job failed, and how to learn more.
 *
 * @param attempt which task of which stage failed for good, and where; empty when no task said so
 * @param logCommand the command that shows what the tasks have logged; empty when that is in the
 *     log of this JVM
 * @param stage name of the stage of that task
 * @param task its index in the stage
 */
public record FailureSite(
    Optional<String> attempt,
    Optional<String> logCommand,
    Optional<String> stage,
    Optional<Integer> task) {

  public FailureSite {
    Objects.requireNonNull(attempt, "attempt");
    Objects.requireNonNull(logCommand, "logCommand");
    Objects.requireNonNull(stage, "stage");
    Objects.requireNonNull(task, "task");
  }

  /** A site of which is known only what a person reads. */
  public FailureSite(Optional<String> attempt, Optional<String> logCommand) {
    this(attempt, logCommand, Optional.empty(), Optional.empty());
  }
}
