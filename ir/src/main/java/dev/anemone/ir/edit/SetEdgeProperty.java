// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.edit;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.EdgeProperty;
import dev.anemone.ir.property.KeyEncoder;
import dev.anemone.ir.property.KeyExtractor;
import dev.anemone.ir.property.Order;
import dev.anemone.ir.property.Property;
import java.util.Objects;
import java.util.Set;

/**
 * Sets or replaces one property of an edge.
 *
 * <pre>
 * before:  A --e[DataStore=MEMORY]------> B
 * after:   A --e[DataStore=LOCAL_FILE]--> B
 * </pre>
 *
 * <p>{@link CommunicationPattern}, {@link KeyExtractor}, {@link KeyEncoder} and {@link Order} say
 * what the program means. They can be set where they are missing, but not changed.
 *
 * @param edgeId which edge
 * @param property its new value
 */
public record SetEdgeProperty(String edgeId, EdgeProperty property) implements DagEdit {

  private static final Set<Class<? extends Property>> MEANING =
      Set.of(CommunicationPattern.class, KeyExtractor.class, KeyEncoder.class, Order.class);

  public SetEdgeProperty {
    Objects.requireNonNull(edgeId, "edgeId");
    Objects.requireNonNull(property, "property");
  }

  @Override
  public IRDag applyTo(IRDag dag) {
    IREdge edge = dag.edge(edgeId);
    EdgeProperty old = edge.properties().asMap().get(property.type());
    if (old != null && !old.equals(property) && MEANING.contains(property.type())) {
      throw new IllegalArgumentException(
          "cannot change "
              + property.type().getSimpleName()
              + " of edge "
              + edgeId
              + " from "
              + old
              + " to "
              + property
              + ": it belongs to the meaning of the program, which a pass must keep");
    }
    return dag.withEdgeProperties(edgeId, edge.properties().with(property));
  }
}
