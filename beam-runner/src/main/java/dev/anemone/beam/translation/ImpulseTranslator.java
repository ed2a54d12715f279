// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.translation;

import dev.anemone.beam.spec.Urns;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.SourcePart;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.function.FunctionSpec;
import java.util.List;
import org.apache.beam.sdk.runners.AppliedPTransform;

/** {@code Impulse} becomes a source vertex with one part. */
final class ImpulseTranslator implements TransformTranslator {

  @Override
  public void translate(AppliedPTransform<?, ?, ?> application, TranslationContext context) {
    FunctionSpec impulse = FunctionSpec.of(Urns.IMPULSE);
    String id = context.newVertexId();
    context.add(
        SourceVertex.of(
            id,
            application.getFullName(),
            impulse,
            List.of(new SourcePart(impulse, 0, List.of()))));
    context.produces(Ports.output(application), id, IREdge.MAIN);
  }
}
