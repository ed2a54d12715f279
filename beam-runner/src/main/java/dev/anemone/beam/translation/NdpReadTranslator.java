// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.translation;

import dev.anemone.beam.ndp.NdpRead;
import dev.anemone.beam.ndp.NdpVertices;
import dev.anemone.beam.ndp.QueryRead;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.function.FunctionSpec;
import java.util.List;
import org.apache.beam.sdk.runners.AppliedPTransform;

/**
 * A read of a table that may be pushed becomes a source vertex, a vertex for each relational
 * operator, and one that makes rows, in a chain:
 *
 * <pre>
 * Read -> Filter -> Project -> Aggregate -> Rows
 * </pre>
 *
 * <p>A query that one task runs becomes a source vertex and one that makes rows.
 */
final class NdpReadTranslator implements TransformTranslator {

  @Override
  public void translate(AppliedPTransform<?, ?, ?> application, TranslationContext context) {
    NdpVertices vertices = new NdpVertices(application.getFullName(), context.options());
    List<IRVertex> chain =
        application.getTransform() instanceof QueryRead query
            ? vertices.of(query, context::newVertexId)
            : vertices.of((NdpRead) application.getTransform(), context::newVertexId);
    FunctionSpec batches = NdpVertices.batchCoder();
    for (int i = 0; i < chain.size(); i++) {
      context.add(chain.get(i));
      if (i > 0) {
        String from = chain.get(i - 1).id();
        context.connectMain(
            new TranslationContext.Input(
                List.of(new TranslationContext.Producer(from, IREdge.MAIN)), batches),
            chain.get(i).id());
      }
    }
    context.produces(Ports.output(application), chain.get(chain.size() - 1).id(), IREdge.MAIN);
  }
}
