// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.function;

import java.util.Objects;

/**
 * The halves of an aggregation over a shuffle: {@code whole} over values gives the same as {@code
 * merging} over what {@code partial} made of any partition of them. Both kinds of element have the
 * same keys, found by the shuffle's key extractor.
 *
 * @param whole aggregates values, as the front end translated it
 * @param partial turns the values of one producer task into accumulators
 * @param merging turns accumulators into results
 * @param valueCoder codes an element of the shuffle when {@code whole} consumes it
 * @param accumulatorCoder codes an element of the shuffle when {@code merging} consumes it
 */
public record CombineSplit(
    FunctionSpec whole,
    FunctionSpec partial,
    FunctionSpec merging,
    FunctionSpec valueCoder,
    FunctionSpec accumulatorCoder) {

  /**
   * Checks the parts.
   *
   * @throws IllegalArgumentException when {@code whole} equals {@code merging}
   */
  public CombineSplit {
    Objects.requireNonNull(whole, "whole");
    Objects.requireNonNull(partial, "partial");
    Objects.requireNonNull(merging, "merging");
    Objects.requireNonNull(valueCoder, "valueCoder");
    Objects.requireNonNull(accumulatorCoder, "accumulatorCoder");
    if (whole.equals(merging)) {
      throw new IllegalArgumentException(
          "whole and merging function are equal, so that a vertex does not show which one it runs: "
              + whole);
    }
  }
}
