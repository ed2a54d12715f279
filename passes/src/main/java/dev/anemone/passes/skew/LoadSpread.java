// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.skew;

import java.util.Arrays;

/**
 * How unequal the tasks of a stage are.
 *
 * @param largest bytes of the largest task
 * @param mean bytes of a task in the mean
 */
record LoadSpread(double largest, double mean) {

  /** The spread of tasks with these bytes. */
  static LoadSpread of(double[] loads) {
    return new LoadSpread(
        Arrays.stream(loads).max().orElse(0), Arrays.stream(loads).average().orElse(0));
  }

  /** How many times the mean the largest task has; 1 where none has anything. */
  double maxByMean() {
    return mean == 0 ? 1 : largest / mean;
  }
}
