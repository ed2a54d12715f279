// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.event;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Where the first operators of a source ran for one of its splits. Told of attempts that have
 * succeeded.
 *
 * @param time when the split had been read
 * @param vertex id of the source
 * @param split which split, for people
 * @param host of the storage side, with its port; empty when the operators ran in the task
 * @param operators that ran on the storage side
 * @param predictedMs how long the split was expected to take; empty when nothing was predicted
 * @param jobMs when all other splits were expected to be done, by where this one's operators run,
 *     which is what a decision looks at first; empty when that was not predicted
 * @param actualMs how long the split took in milliseconds, without what came after its operators
 * @param cause why operators that could be pushed ran in the task; empty when they were pushed
 */
public record PushdownDecided(
    long time,
    String vertex,
    String split,
    Optional<String> host,
    List<String> operators,
    Optional<Prediction> predictedMs,
    Optional<Prediction> jobMs,
    Optional<Long> actualMs,
    Optional<String> cause)
    implements JobEvent {

  public PushdownDecided {
    Objects.requireNonNull(vertex, "vertex");
    split = Absent.text(split);
    Objects.requireNonNull(host, "host");
    operators = Absent.list(operators);
    Objects.requireNonNull(predictedMs, "predictedMs");
    Objects.requireNonNull(jobMs, "jobMs");
    Objects.requireNonNull(actualMs, "actualMs");
    Objects.requireNonNull(cause, "cause");
  }

  /**
   * An expectation, in milliseconds.
   *
   * @param pushed with the operators on the storage side that were pushed, or of which pushing
   *     would have been the best
   * @param pulled with all of them in the task
   */
  public record Prediction(long pushed, long pulled) {}
}
