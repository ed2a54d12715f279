// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.skewq10;

import dev.anemone.evaluation.lab.store.ChargesAsAsked;
import java.util.List;
import java.util.Locale;

/**
 * What a task's reads cost.
 *
 * @param name for tables and logs
 * @param slots how many tasks run at the same time
 * @param bytesPerSecond rate at which a task can read what others wrote; 0 for as fast as it can
 */
record Condition(String name, int slots, long bytesPerSecond) {

  /** The processors are what tasks share. */
  static Condition asItIs(int slots) {
    return new Condition("as it is", slots, 0);
  }

  /** All consumer tasks run at the same time, and each has a link of its own. */
  static Condition links(int tasks, long bytesPerSecond) {
    return new Condition(
        String.format(Locale.ROOT, "%,d kB/s a task", bytesPerSecond / 1000),
        tasks,
        bytesPerSecond);
  }

  boolean isCharged() {
    return bytesPerSecond > 0;
  }

  List<String> jvmOptions() {
    return isCharged()
        ? List.of("-D" + ChargesAsAsked.LINK_PROPERTY + "=" + bytesPerSecond)
        : List.of();
  }
}
