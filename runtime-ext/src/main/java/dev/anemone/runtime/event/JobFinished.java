// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.event;

import java.util.Objects;
import java.util.Optional;

/**
 * The last event of a job.
 *
 * @param state how it ended
 * @param failure why it failed; empty unless it did
 */
public record JobFinished(long time, State state, Optional<Failure> failure) implements JobEvent {

  public JobFinished {
    Objects.requireNonNull(state, "state");
    Objects.requireNonNull(failure, "failure");
  }

  /** How a job ended. */
  public enum State {
    SUCCEEDED,
    FAILED,
    CANCELLED
  }

  /**
   * Why a job failed.
   *
   * @param message the exception, without its stack
   * @param stackTrace the exception of the user's code where there was one, with its causes
   * @param stage id of the stage that failed, where a task did
   * @param task its index in the stage, likewise
   * @param vertex the vertex or step that failed, where that is known
   */
  public record Failure(
      String message,
      String stackTrace,
      Optional<String> stage,
      Optional<Integer> task,
      Optional<String> vertex) {

    public Failure {
      message = Absent.text(message);
      stackTrace = Absent.text(stackTrace);
      Objects.requireNonNull(stage, "stage");
      Objects.requireNonNull(task, "task");
      Objects.requireNonNull(vertex, "vertex");
    }
  }
}
