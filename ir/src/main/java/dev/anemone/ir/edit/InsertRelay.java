// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.edit;

import static dev.anemone.ir.edit.EditPreconditions.require;
import static dev.anemone.ir.edit.EditPreconditions.requireNoAlias;
import static dev.anemone.ir.edit.EditPreconditions.requireNotSampled;

import dev.anemone.ir.ExecutionProperties;
import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.MetricAggregationVertex;
import dev.anemone.ir.MetricCollectionVertex;
import dev.anemone.ir.RelayVertex;
import dev.anemone.ir.SampledVertex;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.PartitionSet;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;

/**
 * Puts one {@link RelayVertex} on one or several edges into the same vertex.
 *
 * <pre>
 * before:  A --e1 SHUFFLE--> C        after:  A --e1 SHUFFLE--> R --e1-R SHUFFLE--> C
 *          B --e2 SHUFFLE--> C                B --e2 SHUFFLE--> R --e2-R SHUFFLE--> C
 * </pre>
 *
 * <p>Each edge keeps its id, output and properties and now ends at the relay; a new edge {@code
 * <edge>-<relay>} with the same properties leads on to the consumer. When there are several edges,
 * the relay's input and output are named after the edge, so that the relay does not mix them. A
 * BROADCAST edge becomes ONE_TO_ONE up to the relay, and the relay broadcasts. A {@link
 * PartitionSet} that divides partitions stays behind the relay only, which reads each once. The
 * relay itself has no properties: passes decide them afterwards.
 *
 * @param edgeIds the edges, all of one pattern and into one vertex
 * @param relayId id of the new vertex
 * @param pass the pass that inserts it
 */
public record InsertRelay(List<String> edgeIds, String relayId, String pass) implements DagEdit {

  public InsertRelay {
    edgeIds = List.copyOf(edgeIds);
    Objects.requireNonNull(relayId, "relayId");
    Objects.requireNonNull(pass, "pass");
    require(!edgeIds.isEmpty(), "relay " + relayId + " needs at least one edge to be put on");
    require(
        new HashSet<>(edgeIds).size() == edgeIds.size(),
        "relay " + relayId + " cannot be put twice on one edge: " + edgeIds);
  }

  @Override
  public IRDag applyTo(IRDag dag) {
    String what = "put relay " + relayId + " on " + edgeIds;
    List<IREdge> edges = edgeIds.stream().map(dag::edge).toList();
    IREdge first = edges.get(0);
    for (IREdge edge : edges) {
      require(
          edge.to().equals(first.to()),
          "cannot " + what + ": they lead to " + first.to() + " and " + edge.to());
      require(
          edge.pattern() == first.pattern(),
          "cannot " + what + ": they are " + first.pattern() + " and " + edge.pattern());
      requireNoAlias(dag, edge, what);
    }
    IRVertex consumer = dag.vertex(first.to());
    require(
        !(consumer instanceof SampledVertex
            || consumer instanceof MetricCollectionVertex
            || consumer instanceof MetricAggregationVertex),
        "cannot " + what + ": vertex " + consumer.id() + " belongs to a sampling");
    requireNotSampled(dag, consumer.id(), what);

    IRDag.Builder builder =
        dag.toBuilder()
            .add(
                new RelayVertex(
                    relayId, "relay to " + consumer.name(), pass, ExecutionProperties.empty()));
    for (IREdge edge : edges) {
      String port = edges.size() == 1 ? IREdge.MAIN : edge.id();
      builder.replace(intoRelay(edge).withDestination(relayId, port));
      builder.add(
          new IREdge(
              edge.id() + "-" + relayId,
              relayId,
              port,
              edge.to(),
              edge.input(),
              edge.elementCoder(),
              edge.properties()));
    }
    return builder.build();
  }

  private static IREdge intoRelay(IREdge edge) {
    if (edge.pattern() == CommunicationPattern.BROADCAST) {
      return edge.with(CommunicationPattern.ONE_TO_ONE);
    }
    boolean divided =
        edge.property(PartitionSet.class).filter(set -> !set.divisions().isEmpty()).isPresent();
    return divided ? edge.withProperties(edge.properties().without(PartitionSet.class)) : edge;
  }
}
