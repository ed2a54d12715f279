// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.translation;

import dev.anemone.beam.spec.Urns;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.ir.function.OperatorTrait;
import java.util.Set;
import org.apache.beam.sdk.runners.AppliedPTransform;
import org.apache.beam.sdk.values.PCollection;

/**
 * {@code Reshuffle.viaRandomKey} and {@code Redistribute.arbitrarily} become a shuffle without keys
 * or order into an operator that hands its input on: timestamps, windows and panes stay as they
 * are.
 */
final class ReshuffleTranslator implements TransformTranslator {

  @Override
  public void translate(AppliedPTransform<?, ?, ?> application, TranslationContext context) {
    String name = application.getFullName();
    PCollection<?> output = Ports.output(application);
    String id = context.newVertexId();
    context.add(
        OperatorVertex.of(id, name, FunctionSpec.of(Urns.IDENTITY))
            .withTraits(Set.of(OperatorTrait.PURE)));
    context.connectSpread(context.inputOfSpread(Ports.main(application), output, name), id);
    context.produces(output, id, IREdge.MAIN);
  }
}
