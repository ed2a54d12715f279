// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.event;

import java.util.Objects;

/**
 * An executor is there.
 *
 * @param executor its id
 * @param host on which it runs
 * @param slots tasks that it runs at once
 * @param memoryBytes heap and off-heap memory together; 0 when nobody knows
 */
public record ExecutorStarted(long time, String executor, String host, int slots, long memoryBytes)
    implements JobEvent {

  public ExecutorStarted {
    Objects.requireNonNull(executor, "executor");
    host = Absent.text(host);
  }
}
