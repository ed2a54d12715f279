// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.spec;

import static java.util.Objects.requireNonNull;

import java.util.List;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.transforms.CombineFnBase.GlobalCombineFn;
import org.apache.beam.sdk.values.PCollectionView;
import org.apache.beam.sdk.values.WindowingStrategy;

/**
 * Combines the values of each key and window.
 *
 * @param stepName the full name of the transform
 * @param phase which part of the work this operator does
 * @param combineFn a {@link org.apache.beam.sdk.transforms.Combine.CombineFn} or a {@link
 *     org.apache.beam.sdk.transforms.CombineWithContext.CombineFnWithContext}
 * @param keyCoder codes a key; deterministic
 * @param inputCoder codes one value
 * @param accumulatorCoder codes an accumulator
 * @param outputCoder codes a result
 * @param windowing of the input
 * @param sideInputs what a function with context may read
 */
public record CombineSpec(
    String stepName,
    Phase phase,
    GlobalCombineFn<?, ?, ?> combineFn,
    Coder<?> keyCoder,
    Coder<?> inputCoder,
    Coder<?> accumulatorCoder,
    Coder<?> outputCoder,
    WindowingStrategy<?, ?> windowing,
    List<PCollectionView<?>> sideInputs)
    implements StepPayload {

  /** The halves of a combine, and the two in one. */
  public enum Phase {
    /** Group operator: values in, results out. */
    WHOLE,
    /** Element operator in front of the shuffle: values in, accumulators out. */
    PARTIAL,
    /** Group operator: accumulators in, results out. */
    MERGING
  }

  public CombineSpec {
    requireNonNull(stepName, "stepName");
    requireNonNull(phase, "phase");
    requireNonNull(combineFn, "combineFn");
    requireNonNull(keyCoder, "keyCoder");
    requireNonNull(inputCoder, "inputCoder");
    requireNonNull(accumulatorCoder, "accumulatorCoder");
    requireNonNull(outputCoder, "outputCoder");
    requireNonNull(windowing, "windowing");
    sideInputs = List.copyOf(sideInputs);
  }

  /** The same combine, another phase of it. */
  public CombineSpec withPhase(Phase newPhase) {
    return new CombineSpec(
        stepName,
        newPhase,
        combineFn,
        keyCoder,
        inputCoder,
        accumulatorCoder,
        outputCoder,
        windowing,
        sideInputs);
  }
}
