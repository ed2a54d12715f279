// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.spec;

import static java.util.Objects.requireNonNull;

import org.apache.beam.sdk.transforms.windowing.WindowFn;

/**
 * Gives elements new windows.
 *
 * @param stepName the full name of the transform
 * @param windowFn assigns the windows
 */
public record AssignWindowsSpec(String stepName, WindowFn<?, ?> windowFn) implements StepPayload {

  public AssignWindowsSpec {
    requireNonNull(stepName, "stepName");
    requireNonNull(windowFn, "windowFn");
  }
}
