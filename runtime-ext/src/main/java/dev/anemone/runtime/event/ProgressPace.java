// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.event;

import java.time.Duration;

/**
 * Which of many progress events are kept: at most one a second, and for long jobs one for each
 * fiftieth of the time that has passed, so that they are fewer than 600 in a month. Not
 * thread-safe.
 */
final class ProgressPace {

  /** As often as eyes follow; how long a log becomes does not depend on it. */
  private static final long LEAST_MILLIS = Duration.ofSeconds(1).toMillis();

  private static final long PART = 50;

  private long first = -1;
  private long last;

  /** Whether an event of this time is kept, given those that were before. */
  boolean keeps(long time) {
    if (first < 0) {
      first = time;
      last = time;
      return true;
    }
    if (time - last < Math.max(LEAST_MILLIS, (time - first) / PART)) {
      return false;
    }
    last = time;
    return true;
  }
}
