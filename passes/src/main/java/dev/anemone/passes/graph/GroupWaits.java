// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.graph;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.SampledVertex;
import dev.anemone.ir.property.CommunicationPattern;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which groups of vertices wait for which, where one-to-one edges join the vertices of a group.
 * Vertices of one group may run in the same tasks, unless other edges lead from one to the other,
 * and then wait for all that any of them waits for. So two vertices can wait for each other by way
 * of others with which they share tasks, even where no cycle of edges, control dependencies and
 * messages joins them. Clones wait as their originals.
 */
public final class GroupWaits {

  private final Map<String, Set<String>> waitsFor;
  private final Map<String, Set<String>> together;

  private GroupWaits(Map<String, Set<String>> waitsFor, Map<String, Set<String>> together) {
    this.waitsFor = waitsFor;
    this.together = together;
  }

  public static GroupWaits of(IRDag dag) {
    Map<String, Set<String>> together = new HashMap<>();
    for (List<IRVertex> group : OneToOneGroups.of(dag).all()) {
      group.forEach(vertex -> together.put(vertex.id(), new HashSet<>(Set.of(vertex.id()))));
      Map<String, Set<String>> apart = new HashMap<>();
      group.forEach(vertex -> apart.put(vertex.id(), behindAnotherEdge(dag, vertex.id())));
      for (IRVertex a : group) {
        for (IRVertex b : group) {
          if (!apart.get(a.id()).contains(b.id()) && !apart.get(b.id()).contains(a.id())) {
            together.get(a.id()).add(b.id());
          }
        }
      }
    }
    for (IRVertex vertex : dag.vertices()) {
      if (vertex instanceof SampledVertex clone) {
        together.get(clone.original()).add(clone.id());
        together.get(clone.id()).addAll(together.get(clone.original()));
      }
    }
    return new GroupWaits(dag.waitsFor(), together);
  }

  /** The vertices to which a path leads from this one that is not of one-to-one edges only. */
  private static Set<String> behindAnotherEdge(IRDag dag, String vertexId) {
    Set<String> joined = new HashSet<>(Set.of(vertexId));
    Set<String> behind = new HashSet<>();
    Deque<String> open = new ArrayDeque<>(joined);
    while (!open.isEmpty()) {
      String id = open.remove();
      for (IREdge edge : dag.outgoing(id)) {
        boolean joins = edge.pattern() == CommunicationPattern.ONE_TO_ONE && !behind.contains(id);
        if (joins ? joined.add(edge.to()) : behind.add(edge.to())) {
          open.add(edge.to());
        }
      }
    }
    return behind;
  }

  /**
   * Whether a vertex may run in tasks that wait, directly or not, for tasks of any of the others.
   */
  public boolean waits(IRVertex vertex, Collection<IRVertex> others) {
    Set<String> awaited = new HashSet<>();
    others.forEach(other -> awaited.addAll(together.get(other.id())));
    Set<String> seen = new HashSet<>(together.get(vertex.id()));
    Deque<String> open = new ArrayDeque<>(seen);
    while (!open.isEmpty()) {
      for (String next : waitsFor.get(open.remove())) {
        if (awaited.contains(next)) {
          return true;
        }
        for (String beside : together.get(next)) {
          if (seen.add(beside)) {
            open.add(beside);
          }
        }
      }
    }
    return false;
  }
}
