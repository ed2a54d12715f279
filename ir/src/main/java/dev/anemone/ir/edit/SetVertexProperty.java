// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.edit;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.property.VertexProperty;
import java.util.Objects;

/**
 * Sets or replaces one property of a vertex.
 *
 * <pre>
 * before:  A [Parallelism=1]
 * after:   A [Parallelism=8]
 * </pre>
 *
 * @param vertexId which vertex
 * @param property its new value
 */
public record SetVertexProperty(String vertexId, VertexProperty property) implements DagEdit {

  public SetVertexProperty {
    Objects.requireNonNull(vertexId, "vertexId");
    Objects.requireNonNull(property, "property");
  }

  @Override
  public IRDag applyTo(IRDag dag) {
    IRVertex vertex = dag.vertex(vertexId);
    return dag.withVertex(vertex.withProperties(vertex.properties().with(property)));
  }
}
