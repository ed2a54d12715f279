// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.decide;

import java.util.Objects;

/**
 * What an operator at the head of a source does to its bytes, and what it costs on either side.
 *
 * @param name for people
 * @param selectivity bytes out for each byte in; above 1 when the operator makes the data larger
 * @param storageSecondsPerByte work on a storage node, core-seconds for each byte in
 * @param computeSecondsPerByte work on a compute node, core-seconds for each byte in
 */
public record OperatorCost(
    String name, double selectivity, double storageSecondsPerByte, double computeSecondsPerByte) {

  /**
   * Checks the figures.
   *
   * @throws IllegalArgumentException if one is negative or not finite
   */
  public OperatorCost {
    Objects.requireNonNull(name, "name");
    Figures.requireNotNegative("The selectivity of " + name, selectivity);
    Figures.requireNotNegative(
        "The storage side's work per byte of " + name, storageSecondsPerByte);
    Figures.requireNotNegative(
        "The compute side's work per byte of " + name, computeSecondsPerByte);
  }
}
