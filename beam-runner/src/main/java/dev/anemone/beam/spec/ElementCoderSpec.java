// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.spec;

import static java.util.Objects.requireNonNull;

import java.io.Serializable;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;

/**
 * Codes the elements of an edge with their timestamp, windows and pane.
 *
 * @param valueCoder codes the value
 * @param windowCoder codes one window
 */
public record ElementCoderSpec(Coder<?> valueCoder, Coder<? extends BoundedWindow> windowCoder)
    implements Serializable {

  public ElementCoderSpec {
    requireNonNull(valueCoder, "valueCoder");
    requireNonNull(windowCoder, "windowCoder");
  }
}
