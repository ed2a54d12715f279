// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.spec;

import static java.util.Objects.requireNonNull;

/**
 * What all parts of a bounded read have in common.
 *
 * @param stepName the full name of the transform
 */
public record ReadSpec(String stepName) implements StepPayload {

  public ReadSpec {
    requireNonNull(stepName, "stepName");
  }
}
