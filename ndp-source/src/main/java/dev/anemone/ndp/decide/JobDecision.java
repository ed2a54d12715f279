// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.decide;

import java.util.List;

/**
 * What is expected of a job before it starts.
 *
 * @param job that was asked about
 * @param load of the system without it
 * @param estimates for 0, 1, ... all operators pushed for all of its splits
 * @param pushed the number of the smallest estimate, the fewest of several
 * @param mix what is better still, or as good: some splits push more than others
 */
public record JobDecision(
    JobCost job, SystemLoad load, List<PushdownEstimate> estimates, int pushed, PushdownMix mix) {

  /** The list is copied. */
  public JobDecision {
    estimates = List.copyOf(estimates);
  }

  /** The decision in a few lines, as {@code explain} prints it. */
  @Override
  public String toString() {
    return PushdownPrinter.print(this);
  }
}
