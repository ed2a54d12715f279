// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.graph;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.SampledVertex;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.VertexProperty;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The vertices that one-to-one edges join, and that therefore have equally many tasks. The edges
 * into a sample's first vertices do not join: they lead from many tasks to few. Immutable and
 * thread-safe.
 */
public final class OneToOneGroups {

  private final Map<String, List<IRVertex>> groupOf;
  private final Collection<List<IRVertex>> groups;

  private OneToOneGroups(Map<String, List<IRVertex>> groupOf, Collection<List<IRVertex>> groups) {
    this.groupOf = groupOf;
    this.groups = groups;
  }

  /** The groups of a graph. */
  public static OneToOneGroups of(IRDag dag) {
    DisjointSets sets = new DisjointSets();
    for (IREdge edge : dag.edges()) {
      if (edge.pattern() == CommunicationPattern.ONE_TO_ONE && joins(dag, edge)) {
        sets.union(edge.from(), edge.to());
      }
    }
    Map<String, List<IRVertex>> byRoot = new LinkedHashMap<>();
    Map<String, List<IRVertex>> byVertex = new HashMap<>();
    for (IRVertex vertex : dag.vertices()) {
      List<IRVertex> group =
          byRoot.computeIfAbsent(sets.find(vertex.id()), root -> new ArrayList<>());
      group.add(vertex);
      byVertex.put(vertex.id(), group);
    }
    return new OneToOneGroups(byVertex, byRoot.values());
  }

  /** Whether an edge is between two vertices of one group. */
  boolean joined(IREdge edge) {
    return groupOf.get(edge.from()) == groupOf.get(edge.to());
  }

  private static boolean joins(IRDag dag, IREdge edge) {
    return !(dag.vertex(edge.to()) instanceof SampledVertex)
        || dag.vertex(edge.from()) instanceof SampledVertex;
  }

  /**
   * All groups; each, like the list, has producers before consumers as far as there is an order.
   */
  public Collection<List<IRVertex>> all() {
    return groups;
  }

  /** The group of a vertex. */
  public List<IRVertex> of(IRVertex vertex) {
    return groupOf.get(vertex.id());
  }

  /**
   * The value of a property that the group of a vertex has somewhere, so that a vertex without one
   * can follow its group and stay in one stage with it.
   */
  public <P extends VertexProperty> Optional<P> value(IRVertex vertex, Class<P> type) {
    return of(vertex).stream().flatMap(member -> member.property(type).stream()).findFirst();
  }
}
