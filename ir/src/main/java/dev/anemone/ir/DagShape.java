// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a graph looks like apart from the properties of its vertices and edges: which there are, by
 * their positions, and how they hang together. Graphs that differ in properties only share it, so
 * that setting one copies an array and nothing else. Immutable and thread-safe.
 */
final class DagShape {

  private static final int[] NONE = {};

  /** In topological order. */
  private final Map<String, Integer> vertexPositions;

  private final Map<String, Integer> edgePositions;
  private final Map<String, int[]> incoming;
  private final Map<String, int[]> outgoing;
  private final Set<ControlDependency> controlDependencies;

  private DagShape(
      Map<String, Integer> vertexPositions,
      Map<String, Integer> edgePositions,
      Map<String, int[]> incoming,
      Map<String, int[]> outgoing,
      Set<ControlDependency> controlDependencies) {
    this.vertexPositions = vertexPositions;
    this.edgePositions = edgePositions;
    this.incoming = incoming;
    this.outgoing = outgoing;
    this.controlDependencies = controlDependencies;
  }

  /**
   * The shape of a graph.
   *
   * @param vertexIds of all vertices, in the order in which they were added
   * @param edges all, in the order of their positions
   * @throws IllegalArgumentException when an edge lacks an end, or the graph has a cycle
   */
  static DagShape of(
      Set<String> vertexIds,
      Collection<IREdge> edges,
      Collection<ControlDependency> controlDependencies) {
    Map<String, Integer> edgePositions = new HashMap<>();
    Map<String, List<IREdge>> in = new HashMap<>();
    Map<String, List<IREdge>> out = new HashMap<>();
    for (IREdge edge : edges) {
      requireVertex(vertexIds, edge.from(), "edge " + edge.id());
      requireVertex(vertexIds, edge.to(), "edge " + edge.id());
      edgePositions.put(edge.id(), edgePositions.size());
      in.computeIfAbsent(edge.to(), id -> new ArrayList<>()).add(edge);
      out.computeIfAbsent(edge.from(), id -> new ArrayList<>()).add(edge);
    }
    for (ControlDependency dependency : controlDependencies) {
      requireVertex(vertexIds, dependency.from(), "control dependency " + dependency);
      requireVertex(vertexIds, dependency.to(), "control dependency " + dependency);
    }
    return new DagShape(
        inTopologicalOrder(vertexIds, in, out),
        edgePositions,
        positions(in, edgePositions),
        positions(out, edgePositions),
        Collections.unmodifiableSet(new LinkedHashSet<>(controlDependencies)));
  }

  private static void requireVertex(Set<String> vertexIds, String id, String what) {
    if (!vertexIds.contains(id)) {
      throw new IllegalArgumentException(what + " refers to vertex " + id + ", which is not there");
    }
  }

  private static Map<String, int[]> positions(
      Map<String, List<IREdge>> ends, Map<String, Integer> edgePositions) {
    Map<String, int[]> positions = new HashMap<>();
    ends.forEach(
        (vertexId, edges) ->
            positions.put(
                vertexId, edges.stream().mapToInt(edge -> edgePositions.get(edge.id())).toArray()));
    return positions;
  }

  /** Kahn's algorithm; among vertices that are ready, the one that was added first goes first. */
  private static Map<String, Integer> inTopologicalOrder(
      Set<String> vertexIds, Map<String, List<IREdge>> in, Map<String, List<IREdge>> out) {
    Map<String, Integer> missing = new HashMap<>();
    Deque<String> ready = new ArrayDeque<>();
    for (String id : vertexIds) {
      int edges = in.getOrDefault(id, List.of()).size();
      missing.put(id, edges);
      if (edges == 0) {
        ready.add(id);
      }
    }
    Map<String, Integer> ordered = new LinkedHashMap<>();
    while (!ready.isEmpty()) {
      String id = ready.remove();
      ordered.put(id, ordered.size());
      for (IREdge edge : out.getOrDefault(id, List.of())) {
        if (missing.merge(edge.to(), -1, Integer::sum) == 0) {
          ready.add(edge.to());
        }
      }
    }
    if (ordered.size() < vertexIds.size()) {
      Set<String> cycle = new LinkedHashSet<>(vertexIds);
      cycle.removeAll(ordered.keySet());
      throw new IllegalArgumentException("the graph has a cycle through or before " + cycle);
    }
    return ordered;
  }

  /**
   * The ids of all vertices, in the order of their positions: every producer before its consumers.
   */
  Set<String> inTopologicalOrder() {
    return Collections.unmodifiableSet(vertexPositions.keySet());
  }

  boolean hasVertex(String id) {
    return vertexPositions.containsKey(id);
  }

  boolean hasEdge(String id) {
    return edgePositions.containsKey(id);
  }

  /**
   * The position of a vertex.
   *
   * @throws IllegalArgumentException when there is none with this id
   */
  int vertexPosition(String id) {
    Integer position = vertexPositions.get(id);
    if (position == null) {
      throw new IllegalArgumentException("no vertex " + id + " in the graph");
    }
    return position;
  }

  /**
   * The position of an edge.
   *
   * @throws IllegalArgumentException when there is none with this id
   */
  int edgePosition(String id) {
    Integer position = edgePositions.get(id);
    if (position == null) {
      throw new IllegalArgumentException("no edge " + id + " in the graph");
    }
    return position;
  }

  /** The positions of the edges into a vertex, ascending; the caller does not change them. */
  int[] incoming(String vertexId) {
    return incoming.getOrDefault(vertexId, NONE);
  }

  /** The positions of the edges out of a vertex, ascending; the caller does not change them. */
  int[] outgoing(String vertexId) {
    return outgoing.getOrDefault(vertexId, NONE);
  }

  Set<ControlDependency> controlDependencies() {
    return controlDependencies;
  }
}
