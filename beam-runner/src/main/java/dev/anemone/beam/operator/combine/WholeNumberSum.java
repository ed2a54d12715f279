// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.combine;

import java.util.Optional;
import org.apache.beam.sdk.transforms.CombineFnBase.GlobalCombineFn;
import org.apache.beam.sdk.transforms.Count;
import org.apache.beam.sdk.transforms.Sum;

/**
 * Beam's combine functions whose accumulator is the sum of whole numbers, in an array of one: a sum
 * can be kept as a number until the accumulator is asked for.
 */
enum WholeNumberSum {
  /** {@link Count}, where every value adds one. */
  COUNT(Count.combineFn()) {
    @Override
    boolean adds(Object value) {
      return true;
    }

    @Override
    long summand(Object value) {
      return 1;
    }
  },

  /** {@link Sum#ofLongs}. */
  LONGS(Sum.ofLongs()) {
    @Override
    boolean adds(Object value) {
      return value instanceof Long;
    }

    @Override
    long summand(Object value) {
      return (Long) value;
    }
  };

  private final Class<?> function;

  WholeNumberSum(GlobalCombineFn<?, ?, ?> function) {
    this.function = function.getClass();
  }

  /** What a combine function sums; empty if it is none of these. */
  static Optional<WholeNumberSum> of(GlobalCombineFn<?, ?, ?> combineFn) {
    for (WholeNumberSum sum : values()) {
      if (sum.function == combineFn.getClass()) {
        return Optional.of(sum);
      }
    }
    return Optional.empty();
  }

  /** Whether a value has a summand; the function may throw for one that has none. */
  abstract boolean adds(Object value);

  /** What a value adds to the sum. */
  abstract long summand(Object value);

  /** The function's accumulator of values with this sum. */
  Object accumulator(long sum) {
    return new long[] {sum};
  }
}
