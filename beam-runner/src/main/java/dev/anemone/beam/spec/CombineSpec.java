// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.spec;

import static java.util.Objects.requireNonNull;

import java.io.Serializable;
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
 * @param coders of what goes in, between and out
 * @param windowing of the input
 * @param sideInputs what a function with context may read
 */
public record CombineSpec(
    String stepName,
    Phase phase,
    GlobalCombineFn<?, ?, ?> combineFn,
    Coders coders,
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

  /**
   * The coders of a combine.
   *
   * @param key codes a key; deterministic
   * @param input codes one value
   * @param accumulator codes an accumulator
   * @param output codes a result
   */
  public record Coders(Coder<?> key, Coder<?> input, Coder<?> accumulator, Coder<?> output)
      implements Serializable {

    public Coders {
      requireNonNull(key, "key");
      requireNonNull(input, "input");
      requireNonNull(accumulator, "accumulator");
      requireNonNull(output, "output");
    }
  }

  public CombineSpec {
    requireNonNull(stepName, "stepName");
    requireNonNull(phase, "phase");
    requireNonNull(combineFn, "combineFn");
    requireNonNull(coders, "coders");
    requireNonNull(windowing, "windowing");
    sideInputs = List.copyOf(sideInputs);
  }

  /** The same combine, another phase of it. */
  public CombineSpec withPhase(Phase newPhase) {
    return new CombineSpec(stepName, newPhase, combineFn, coders, windowing, sideInputs);
  }
}
