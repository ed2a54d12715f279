package dev.anemone.beam.translation;

import dev.anemone.beam.spec.Urns;
import dev.anemone.ir.FunctionSpec;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.OperatorTrait;
import dev.anemone.ir.OperatorVertex;
import java.util.Set;
import org.apache.beam.sdk.runners.AppliedPTransform;

/**
 * {@code Reshuffle.viaRandomKey} and {@code Redistribute.arbitrarily} become a shuffle without keys
 * or order into an operator that hands its input on: timestamps, windows and panes stay as they
 * are.
 */
final class ReshuffleTranslator implements TransformTranslator {

  @Override
  public void translate(AppliedPTransform<?, ?, ?> application, TranslationContext context) {
    String id = context.newVertexId();
    context.add(
        OperatorVertex.of(id, application.getFullName(), FunctionSpec.of(Urns.IDENTITY))
            .withTraits(Set.of(OperatorTrait.PURE)));
    context.connectSpread(Ports.main(application), id);
    context.produces(Ports.output(application), id, IREdge.MAIN);
  }
}
