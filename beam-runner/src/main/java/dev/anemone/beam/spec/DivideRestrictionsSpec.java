// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.spec;

import static java.util.Objects.requireNonNull;

import org.apache.beam.sdk.coders.Coder;

/**
 * A splittable DoFn whose restrictions are divided while they are processed.
 *
 * @param step the DoFn
 * @param restrictionCoder codes a restriction
 * @param pairs codes what is read: an element and a restriction
 * @param rests codes what is left of them: such a pair, and the state of its watermark estimator
 * @param limitMs how long a restriction is processed, in ms, before what is left of it is divided
 * @param slots how many tasks can run at once
 */
public record DivideRestrictionsSpec(
    ParDoSpec step,
    Coder<?> restrictionCoder,
    ElementCoderSpec pairs,
    ElementCoderSpec rests,
    int limitMs,
    int slots)
    implements StepPayload {

  /** The output of what is left. No tag of a user's is called so. */
  public static final String RESTS = "anemone:rests";

  public DivideRestrictionsSpec {
    requireNonNull(step, "step");
    requireNonNull(restrictionCoder, "restrictionCoder");
    requireNonNull(pairs, "pairs");
    requireNonNull(rests, "rests");
  }

  @Override
  public String stepName() {
    return step.stepName();
  }
}
