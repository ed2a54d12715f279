// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.translation;

import dev.anemone.beam.spec.BeamSpecs;
import dev.anemone.beam.spec.Urns;
import dev.anemone.beam.translation.TranslationContext.Producer;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.SourcePart;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.function.FunctionSpec;
import java.util.List;
import org.apache.beam.sdk.runners.AppliedPTransform;
import org.apache.beam.sdk.values.PCollection;

/**
 * {@code Flatten} becomes nothing: whoever reads it gets one edge from each of its inputs. A
 * flatten of no inputs becomes a source vertex that reads nothing.
 */
final class FlattenTranslator implements TransformTranslator {

  @Override
  public void translate(AppliedPTransform<?, ?, ?> application, TranslationContext context) {
    PCollection<?> output = Ports.output(application);
    List<Producer> union =
        application.getInputs().values().stream()
            .flatMap(input -> context.producersOf(input).stream())
            .toList();
    if (union.isEmpty()) {
      String name = application.getFullName();
      String id = context.newVertexId();
      context.add(
          SourceVertex.of(
              id,
              name,
              FunctionSpec.of(Urns.READ),
              List.of(
                  new SourcePart(
                      BeamSpecs.toFunctionSpec(Urns.READ, new EmptySource<>(output.getCoder())),
                      0,
                      List.of()))));
      context.produces(output, id, IREdge.MAIN);
    } else {
      context.produces(output, union);
      if (application.getInputs().values().stream().allMatch(context::isInRepeatableOrder)) {
        context.madeInRepeatableOrder(output);
      }
    }
  }
}
