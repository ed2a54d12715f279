// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.event;

import java.util.Objects;

/**
 * An executor is gone before its job has ended.
 *
 * @param executor its id
 * @param cause why, as far as anybody knows
 */
public record ExecutorLost(long time, String executor, String cause) implements JobEvent {

  public ExecutorLost {
    Objects.requireNonNull(executor, "executor");
    cause = Absent.text(cause);
  }
}
