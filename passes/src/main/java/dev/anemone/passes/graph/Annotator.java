// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.graph;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.edit.SetEdgeProperty;
import dev.anemone.ir.edit.SetVertexProperty;
import dev.anemone.ir.property.EdgeProperty;
import dev.anemone.ir.property.VertexProperty;
import java.util.Optional;
import java.util.function.Function;

/** Sets properties where they are missing. */
public final class Annotator {

  private Annotator() {}

  /** Sets a property of every vertex that does not have it and for which there is a value. */
  public static <P extends VertexProperty> IRDag vertices(
      IRDag dag, Class<P> type, Function<IRVertex, Optional<P>> value) {
    IRDag result = dag;
    for (IRVertex vertex : dag.vertices()) {
      if (vertex.property(type).isEmpty()) {
        Optional<P> property = value.apply(vertex);
        if (property.isPresent()) {
          result = result.apply(new SetVertexProperty(vertex.id(), property.get()));
        }
      }
    }
    return result;
  }

  /** Sets a property of every edge that does not have it and for which there is a value. */
  public static <P extends EdgeProperty> IRDag edges(
      IRDag dag, Class<P> type, Function<IREdge, Optional<P>> value) {
    IRDag result = dag;
    for (IREdge edge : dag.edges()) {
      if (edge.property(type).isEmpty()) {
        Optional<P> property = value.apply(edge);
        if (property.isPresent()) {
          result = result.apply(new SetEdgeProperty(edge.id(), property.get()));
        }
      }
    }
    return result;
  }
}
