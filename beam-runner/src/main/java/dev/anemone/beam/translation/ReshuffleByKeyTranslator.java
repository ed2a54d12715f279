// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.translation;

import dev.anemone.beam.spec.BeamSpecs;
import dev.anemone.beam.spec.GroupByKeySpec;
import dev.anemone.beam.spec.Urns;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.function.OperatorTrait;
import java.util.Set;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.runners.AppliedPTransform;
import org.apache.beam.sdk.values.PCollection;

/**
 * {@code Reshuffle.of} and {@code Redistribute.byKey} become a shuffle by key into an operator that
 * hands on element by element: timestamps, windows and panes stay as they are. Elements of a key
 * that one task has made come in the order in which it made them.
 */
final class ReshuffleByKeyTranslator implements TransformTranslator {

  @Override
  public void translate(AppliedPTransform<?, ?, ?> application, TranslationContext context) {
    String name = application.getFullName();
    PCollection<?> input = Ports.main(application);
    KvCoder<?, ?> coder = TranslationContext.kvCoderOf(input);
    String id = context.newVertexId();
    context.add(
        OperatorVertex.of(
                id,
                name,
                BeamSpecs.toFunctionSpec(
                    Urns.RESHUFFLE_BY_KEY,
                    new GroupByKeySpec(
                        name,
                        coder.getKeyCoder(),
                        coder.getValueCoder(),
                        input.getWindowingStrategy())))
            .withTraits(Set.of(OperatorTrait.PURE)));
    PCollection<?> output = Ports.output(application);
    context.connectWholeKeys(context.inputOfSpread(input, output, name), coder, id);
    context.produces(output, id, IREdge.MAIN);
  }
}
