// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.decide;

import java.util.Objects;

/**
 * A job, or what is left of one, that reads many splits alike.
 *
 * @param meanSplit the mean of its splits
 * @param splits how many there are; of a job that runs, those whose tasks have not begun
 */
public record JobCost(SplitCost meanSplit, int splits) {

  /**
   * Checks the figures.
   *
   * @throws IllegalArgumentException if the number of splits is negative
   */
  public JobCost {
    Objects.requireNonNull(meanSplit, "meanSplit");
    Figures.requireNotNegative("The number of splits", splits);
  }
}
