// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.decide;

/**
 * What a side that runs any operators of a split does before the first of them: an engine must be
 * made ready. When each side runs some, both do it, so that a cut between two operators can be
 * worse than either end.
 *
 * @param storageSeconds work of the storage side, core-seconds
 * @param computeSeconds work of the compute side, core-seconds
 */
public record StartCost(double storageSeconds, double computeSeconds) {

  /** A start that takes nothing. */
  public static final StartCost NONE = new StartCost(0, 0);

  /**
   * Checks the figures.
   *
   * @throws IllegalArgumentException if one is negative or not finite
   */
  public StartCost {
    Figures.requireNotNegative("The storage side's work to start", storageSeconds);
    Figures.requireNotNegative("The compute side's work to start", computeSeconds);
  }
}
