// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.spec;

import static java.util.Objects.requireNonNull;

import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.values.WindowingStrategy;

/**
 * Collects the values of each key and window.
 *
 * @param stepName the full name of the transform
 * @param keyCoder codes a key; deterministic
 * @param valueCoder codes one value
 * @param windowing of the input
 */
public record GroupByKeySpec(
    String stepName, Coder<?> keyCoder, Coder<?> valueCoder, WindowingStrategy<?, ?> windowing)
    implements StepPayload {

  public GroupByKeySpec {
    requireNonNull(stepName, "stepName");
    requireNonNull(keyCoder, "keyCoder");
    requireNonNull(valueCoder, "valueCoder");
    requireNonNull(windowing, "windowing");
  }
}
