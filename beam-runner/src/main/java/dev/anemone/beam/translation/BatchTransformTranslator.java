// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.translation;

import dev.anemone.beam.ndp.BatchTransform;
import dev.anemone.beam.ndp.NdpVertices;
import dev.anemone.beam.translation.TranslationContext.Input;
import dev.anemone.beam.translation.TranslationContext.Producer;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.function.FunctionSpec;
import java.util.List;
import org.apache.beam.sdk.runners.AppliedPTransform;
import org.apache.beam.sdk.values.PCollection;

/**
 * What runs in batches becomes a chain of vertices. A read of a table that may be pushed is a
 * source vertex, a vertex for each relational operator, and one that makes rows:
 *
 * <pre>
 * Read -> Filter -> Project -> Aggregate -> Rows
 * </pre>
 */
final class BatchTransformTranslator implements TransformTranslator {

  @Override
  public void translate(AppliedPTransform<?, ?, ?> application, TranslationContext context) {
    BatchTransform transform = (BatchTransform) application.getTransform();
    List<IRVertex> chain =
        transform.vertices(application.getFullName(), context.options(), context::newVertexId);
    FunctionSpec batches = NdpVertices.batchCoder();
    for (int i = 0; i < chain.size(); i++) {
      context.add(chain.get(i));
      if (i > 0) {
        String from = chain.get(i - 1).id();
        context.connectMain(
            new Input(List.of(new Producer(from, IREdge.MAIN)), batches), chain.get(i).id());
      } else if (transform.readsGroups()) {
        PCollection<?> input = Ports.main(application);
        context.connectGrouped(input, TranslationContext.kvCoderOf(input), chain.get(0).id());
      } else if (!application.getInputs().isEmpty()) {
        context.connectMain(context.inputOf(Ports.main(application)), chain.get(0).id());
      }
    }
    transform
        .sideInputs()
        .forEach((name, view) -> context.connectSideInput(view, name, chain.get(0).id()));
    context.produces(Ports.output(application), chain.get(chain.size() - 1).id(), IREdge.MAIN);
  }
}
