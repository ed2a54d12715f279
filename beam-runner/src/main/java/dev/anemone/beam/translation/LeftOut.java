// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.translation;

import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PInput;

/**
 * Stands in the place of a transform whose work another one does: nobody reads what it makes, and
 * the translation leaves it out.
 */
public final class LeftOut extends PTransform<PInput, PCollection<Object>> {
  private static final long serialVersionUID = 1;

  private final transient PCollection<Object> made;

  /** Takes the place of what made this. */
  @SuppressWarnings("unchecked") // nobody reads it
  public LeftOut(PCollection<?> made) {
    this.made = (PCollection<Object>) made;
  }

  @Override
  public PCollection<Object> expand(PInput input) {
    return PCollection.createPrimitiveOutputInternal(
        input.getPipeline(), made.getWindowingStrategy(), made.isBounded(), made.getCoder());
  }
}
