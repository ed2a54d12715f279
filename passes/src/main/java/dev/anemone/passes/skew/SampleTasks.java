// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.skew;

import java.util.List;
import java.util.stream.IntStream;

/**
 * Picks the tasks of a stage that are run ahead of the others to find out what it sends.
 *
 * @param rate part of the tasks to pick, above 0 and at most 1
 * @param few number of tasks up to which all are picked
 */
record SampleTasks(double rate, int few) {

  /** One task alone says nothing of how much tasks differ. */
  private static final int LEAST = 2;

  /**
   * Evenly spaced indices, ascending: as many as the rate asks for, two at least; all if there are
   * no more, or only few. Spaced, since neighbouring tasks tend to read neighbouring, similar data.
   */
  List<Integer> of(int tasks) {
    int wanted = tasks <= few ? tasks : Math.max(LEAST, (int) Math.ceil(rate * tasks));
    int sampled = Math.min(tasks, wanted);
    return IntStream.range(0, sampled)
        .mapToObj(k -> (int) ((2L * k + 1) * tasks / (2L * sampled)))
        .toList();
  }
}
