// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.event;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Objects;
import java.util.Optional;

/**
 * An attempt of a task has ended; the event's time is its end.
 *
 * @param stage id of its stage
 * @param task index in the stage, from 0
 * @param attempt from 0
 * @param executor on which it ran; empty when it never ran
 * @param state how it ended
 * @param speculative whether it ran beside another attempt of the task
 * @param waitedFrom when it could have run, had there been a slot, in milliseconds since 1970
 * @param startedAt when it began, likewise; its end when it never ran
 * @param times where its time went
 * @param read what it read from other stages
 * @param written what it wrote for other stages
 * @param spilledBytes bytes that were written because memory was full
 * @param cause why it did not succeed, in one line; empty when it did
 */
public record TaskFinished(
    long time,
    String stage,
    int task,
    int attempt,
    Optional<String> executor,
    State state,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean speculative,
    long waitedFrom,
    long startedAt,
    AttemptTimes times,
    Amount read,
    Amount written,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) long spilledBytes,
    Optional<String> cause)
    implements JobEvent {

  public TaskFinished {
    Objects.requireNonNull(stage, "stage");
    Objects.requireNonNull(executor, "executor");
    Objects.requireNonNull(state, "state");
    times = times == null ? AttemptTimes.NONE : times;
    read = read == null ? Amount.NONE : read;
    written = written == null ? Amount.NONE : written;
    Objects.requireNonNull(cause, "cause");
  }

  /** How an attempt ended. */
  public enum State {
    SUCCEEDED,
    FAILED,
    /** Nobody needed it any more, or its executor was needed for something else. */
    KILLED
  }

  /**
   * What goes over links.
   *
   * @param records records
   * @param bytes bytes of their keys and values; of what was read, with the lengths before them
   */
  public record Amount(long records, long bytes) {

    /** Nothing. */
    public static final Amount NONE = new Amount(0, 0);

    /** Both together. */
    public Amount plus(Amount other) {
      return new Amount(records + other.records, bytes + other.bytes);
    }
  }
}
