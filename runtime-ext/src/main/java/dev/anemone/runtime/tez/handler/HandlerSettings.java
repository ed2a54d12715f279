// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.handler;

import java.time.Duration;
import java.util.Objects;

/**
 * How patiently blocks are fetched from shuffle handlers. A node that is away costs a fetch at most
 * {@code tries} connect timeouts and the waits between them, which double each time.
 *
 * @param connectTimeout the longest that a connection may take to be made; at least 1 ms
 * @param readTimeout the longest that a handler may send nothing; at least 1 ms
 * @param tries how often a fetch is tried while the node cannot be reached, cuts the connection or
 *     asks to come later; at least 1
 * @param firstWait how long to wait before the second try
 */
public record HandlerSettings(
    Duration connectTimeout, Duration readTimeout, int tries, Duration firstWait) {

  /** 10 s to connect, 60 s to read, 6 tries with waits of 0.5 s to 8 s between them. */
  public static final HandlerSettings DEFAULT =
      new HandlerSettings(
          Duration.ofSeconds(10), Duration.ofSeconds(60), 6, Duration.ofMillis(500));

  public HandlerSettings {
    requireMillis("connect timeout", connectTimeout, 1);
    requireMillis("read timeout", readTimeout, 1);
    requireMillis("wait before the second try", firstWait, 0);
    if (tries < 1) {
      throw new IllegalArgumentException("a fetch needs at least one try, not " + tries);
    }
  }

  private static void requireMillis(String what, Duration duration, long least) {
    long millis = Objects.requireNonNull(duration, what).toMillis();
    if (millis < least || millis > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "the " + what + " must be from " + least + " to 2147483647 ms, not " + millis);
    }
  }

  int connectTimeoutMillis() {
    return (int) connectTimeout.toMillis();
  }

  int readTimeoutMillis() {
    return (int) readTimeout.toMillis();
  }

  /** How long to wait after a try has failed, the first being 1. */
  Duration waitAfter(int attempt) {
    return firstWait.multipliedBy(1L << Math.min(attempt - 1, 16));
  }
}
