// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.decide;

import java.util.List;

/**
 * How many operators to push for one split, and the numbers behind it.
 *
 * @param split that was asked about
 * @param load of the system at that moment
 * @param node that holds the split
 * @param estimates of this split's time for 0, 1, ... all operators pushed
 * @param jobSeconds for each of them, when the rest of the job would be done; empty when nothing is
 *     known of the job
 * @param pushed how many to push
 */
public record SplitDecision(
    SplitCost split,
    SystemLoad load,
    ClusterLoad node,
    List<PushdownEstimate> estimates,
    List<Double> jobSeconds,
    int pushed) {

  /** The lists are copied. */
  public SplitDecision {
    estimates = List.copyOf(estimates);
    jobSeconds = List.copyOf(jobSeconds);
  }

  /**
   * Whether the inequality holds for an operator when all before it are pushed.
   *
   * @param operator its index
   */
  public boolean pays(int operator) {
    return estimates.get(operator).seconds() > estimates.get(operator + 1).seconds();
  }

  /** The decision in a few lines, as {@code explain} prints it. */
  @Override
  public String toString() {
    return PushdownPrinter.print(this);
  }
}
