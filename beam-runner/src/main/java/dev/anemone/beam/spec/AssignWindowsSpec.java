// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.spec;

import static java.util.Objects.requireNonNull;

import java.io.Serializable;
import org.apache.beam.sdk.transforms.windowing.WindowFn;

/**
 * Gives elements new windows. Without the name of the step, so that steps that assign the same
 * windows to the same elements are equal.
 *
 * @param windowFn assigns the windows
 */
public record AssignWindowsSpec(WindowFn<?, ?> windowFn) implements Serializable {

  public AssignWindowsSpec {
    requireNonNull(windowFn, "windowFn");
  }
}
