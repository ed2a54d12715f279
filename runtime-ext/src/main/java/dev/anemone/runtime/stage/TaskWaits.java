// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.stage;

import java.time.Duration;

/**
 * How long the attempts of a job wait for something, in ms, each at least 1. A fetch has waits of
 * its own, see {@link dev.anemone.runtime.transfer.fetch.FetchSettings}.
 *
 * @param pushConnectMs how long a producer tries to connect to an aggregation task, before it keeps
 *     what it has for that one
 * @param pushReplyMs how long an aggregation task that has batches to answer may be silent, and how
 *     long a producer that has connected may take to introduce itself
 * @param pushMemoryMs how long an aggregation task keeps a batch waiting for memory, before it
 *     refuses it
 * @param pushCloseMs how long the connections of either side may take to end
 * @param commitMs how long an attempt that is done waits for another one of its task that may
 *     commit, before it fails
 */
public record TaskWaits(
    long pushConnectMs, long pushReplyMs, long pushMemoryMs, long pushCloseMs, long commitMs) {

  /** The waits of jobs that say nothing of them. */
  public static final TaskWaits DEFAULT = new TaskWaits(2_000, 5_000, 2_000, 10_000, 300_000);

  public TaskWaits {
    if (Math.min(
            Math.min(pushConnectMs, pushReplyMs),
            Math.min(Math.min(pushMemoryMs, pushCloseMs), commitMs))
        < 1) {
      throw new IllegalArgumentException(
          "waits must be at least 1 ms, were "
              + pushConnectMs
              + ", "
              + pushReplyMs
              + ", "
              + pushMemoryMs
              + ", "
              + pushCloseMs
              + " and "
              + commitMs);
    }
  }

  /** {@link #pushConnectMs}. */
  public Duration pushConnect() {
    return Duration.ofMillis(pushConnectMs);
  }

  /** {@link #pushReplyMs}. */
  public Duration pushReply() {
    return Duration.ofMillis(pushReplyMs);
  }

  /** {@link #pushMemoryMs}. */
  public Duration pushMemory() {
    return Duration.ofMillis(pushMemoryMs);
  }

  /** {@link #pushCloseMs}. */
  public Duration pushClose() {
    return Duration.ofMillis(pushCloseMs);
  }

  /** {@link #commitMs}. */
  public Duration commit() {
    return Duration.ofMillis(commitMs);
  }
}
