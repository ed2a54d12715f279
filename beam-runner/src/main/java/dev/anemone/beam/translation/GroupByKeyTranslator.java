// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.translation;

import dev.anemone.beam.spec.BeamSpecs;
import dev.anemone.beam.spec.GroupByKeySpec;
import dev.anemone.beam.spec.Urns;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.OperatorVertex;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.runners.AppliedPTransform;
import org.apache.beam.sdk.values.PCollection;

/** {@code GroupByKey} becomes a shuffle by key into an operator that collects values. */
final class GroupByKeyTranslator implements TransformTranslator {

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
                Urns.GROUP_BY_KEY,
                new GroupByKeySpec(
                    name,
                    coder.getKeyCoder(),
                    coder.getValueCoder(),
                    input.getWindowingStrategy()))));
    context.connectGrouped(input, coder, id);
    context.produces(Ports.output(application), id, IREdge.MAIN);
  }
}
