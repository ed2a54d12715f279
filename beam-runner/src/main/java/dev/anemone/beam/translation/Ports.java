// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.translation;

import java.util.Collection;
import org.apache.beam.sdk.runners.AppliedPTransform;
import org.apache.beam.sdk.util.construction.TransformInputs;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PValue;

/** The main input and output of transforms that have one of each. */
final class Ports {

  private Ports() {}

  /** The one input that is no side input. */
  static PCollection<?> main(AppliedPTransform<?, ?, ?> application) {
    Collection<PValue> inputs = TransformInputs.nonAdditionalInputs(application);
    if (inputs.size() != 1) {
      throw new IllegalStateException(
          "step '" + application.getFullName() + "' should have one main input, has " + inputs);
    }
    return (PCollection<?>) inputs.iterator().next();
  }

  /** The one output. */
  static PCollection<?> output(AppliedPTransform<?, ?, ?> application) {
    Collection<PCollection<?>> outputs = application.getOutputs().values();
    if (outputs.size() != 1) {
      throw new IllegalStateException(
          "step '" + application.getFullName() + "' should have one output, has " + outputs);
    }
    return outputs.iterator().next();
  }
}
