// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ui.model;

import dev.anemone.runtime.event.ExecutorLost;
import dev.anemone.runtime.event.ExecutorStarted;
import java.util.Optional;

/**
 * An executor.
 *
 * @param executor its id
 * @param host on which it runs; empty when nobody knows
 * @param slots tasks that it runs at once; 0 when nobody knows
 * @param memoryBytes that it has; 0 when nobody knows
 * @param startedAt in milliseconds since 1970
 * @param lostAt likewise; empty while it is there
 * @param cause why it was lost; empty while it is there
 */
public record ExecutorView(
    String executor,
    String host,
    int slots,
    long memoryBytes,
    long startedAt,
    Optional<Long> lostAt,
    String cause) {

  static ExecutorView of(ExecutorStarted start) {
    return new ExecutorView(
        start.executor(),
        start.host(),
        start.slots(),
        start.memoryBytes(),
        start.time(),
        Optional.empty(),
        "");
  }

  static ExecutorView unknown(String executor, long time) {
    return new ExecutorView(executor, "", 0, 0, time, Optional.empty(), "");
  }

  ExecutorView lost(ExecutorLost lost) {
    return new ExecutorView(
        executor, host, slots, memoryBytes, startedAt, Optional.of(lost.time()), lost.cause());
  }
}
