// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.edit;

import static dev.anemone.ir.edit.EditPreconditions.require;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.MetricAggregationVertex;
import dev.anemone.ir.MetricCollectionVertex;
import dev.anemone.ir.SampledVertex;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Takes the sampling of one message out of a graph, and the clones that no other needs. */
final class SamplingRemoval {

  private final IRDag dag;

  SamplingRemoval(IRDag dag) {
    this.dag = dag;
  }

  /** Whether a sampling put a vertex in. */
  static boolean belongsToSampling(IRVertex vertex) {
    return vertex instanceof SampledVertex
        || vertex instanceof MetricCollectionVertex
        || vertex instanceof MetricAggregationVertex;
  }

  /**
   * The graph without the sampling to which a vertex belongs.
   *
   * @throws IllegalArgumentException when it belongs to those of several messages
   */
  IRDag without(IRVertex vertex) {
    Set<String> messages = messagesOf(vertex);
    require(
        messages.size() == 1,
        "cannot delete vertex "
            + vertex.id()
            + ": it belongs to the samplings of "
            + messages
            + "; name the aggregation of the one to delete");
    Set<String> goes = new HashSet<>();
    for (IRVertex other : dag.vertices()) {
      if (belongsToSampling(other) && messages.containsAll(messagesOf(other))) {
        goes.add(other.id());
      }
    }
    IRDag.Builder builder = dag.toBuilder();
    dag.edges().stream()
        .filter(edge -> goes.contains(edge.from()) || goes.contains(edge.to()))
        .forEach(edge -> builder.removeEdge(edge.id()));
    dag.controlDependencies().stream()
        .filter(dependency -> goes.contains(dependency.from()))
        .forEach(builder::remove);
    goes.forEach(builder::removeVertex);
    return builder.build();
  }

  /** The messages for which a vertex is there: those to whose collections it leads. */
  private Set<String> messagesOf(IRVertex vertex) {
    if (vertex instanceof MetricAggregationVertex aggregation) {
      return Set.of(aggregation.messageId());
    }
    Set<String> messages = new TreeSet<>();
    Set<String> seen = new HashSet<>();
    Deque<String> open = new ArrayDeque<>(List.of(vertex.id()));
    while (!open.isEmpty()) {
      String id = open.remove();
      if (dag.vertex(id) instanceof MetricCollectionVertex collection) {
        messages.add(collection.messageId());
      } else if (seen.add(id)) {
        dag.outgoing(id).stream().map(IREdge::to).forEach(open::add);
      }
    }
    return messages;
  }
}
