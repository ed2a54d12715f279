// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.translation;

import java.util.Optional;
import org.apache.beam.sdk.coders.CannotProvideCoderException;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.runners.AppliedPTransform;
import org.apache.beam.sdk.transforms.CombineFnBase.GlobalCombineFn;

/** Asks combine functions for the coder of their accumulators. */
final class AccumulatorCoders {

  private AccumulatorCoders() {}

  /** The coder for accumulators over values of this coder; empty when none can be inferred. */
  static Optional<Coder<?>> find(
      AppliedPTransform<?, ?, ?> application, GlobalCombineFn<?, ?, ?> fn, Coder<?> valueCoder) {
    // The pipeline's types make the value coder one of the function's input type.
    @SuppressWarnings("unchecked")
    GlobalCombineFn<Object, ?, ?> typedFn = (GlobalCombineFn<Object, ?, ?>) fn;
    @SuppressWarnings("unchecked")
    Coder<Object> typedCoder = (Coder<Object>) valueCoder;
    try {
      return Optional.of(
          typedFn.getAccumulatorCoder(application.getPipeline().getCoderRegistry(), typedCoder));
    } catch (CannotProvideCoderException e) {
      // The caller has a way without one.
      return Optional.empty();
    }
  }
}
