// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir;

import dev.anemone.ir.edit.DagEdit;
import dev.anemone.ir.property.EdgeProperty;
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
import java.util.Objects;
import java.util.Set;

/**
 * A pipeline as a directed acyclic graph. Immutable and thread-safe.
 *
 * <p>A front end makes one with {@link #builder()}; after that it changes only by {@link
 * #apply(DagEdit)}, whose edits keep the meaning of the program. The edits that led from the built
 * graph to this one are in {@link #edits()}, so that a caller can verify how a pass came to its
 * result by applying them again.
 *
 * <p>Two graphs are equal when their vertices, edges and control dependencies are; how they came
 * about does not matter.
 */
public final class IRDag {

  private final Map<String, IRVertex> vertices;
  private final Map<String, IREdge> edges;
  private final Set<ControlDependency> controlDependencies;
  private final List<DagEdit> edits;
  private final Map<String, List<IREdge>> incoming;
  private final Map<String, List<IREdge>> outgoing;

  private IRDag(
      Map<String, IRVertex> vertices,
      Map<String, IREdge> edges,
      Set<ControlDependency> controlDependencies,
      List<DagEdit> edits) {
    this.edges = Collections.unmodifiableMap(new LinkedHashMap<>(edges));
    this.controlDependencies =
        Collections.unmodifiableSet(new LinkedHashSet<>(controlDependencies));
    this.edits = List.copyOf(edits);
    this.incoming = new HashMap<>();
    this.outgoing = new HashMap<>();
    for (IREdge edge : this.edges.values()) {
      requireVertex(vertices, edge.from(), "edge " + edge.id());
      requireVertex(vertices, edge.to(), "edge " + edge.id());
      outgoing.computeIfAbsent(edge.from(), k -> new ArrayList<>()).add(edge);
      incoming.computeIfAbsent(edge.to(), k -> new ArrayList<>()).add(edge);
    }
    for (ControlDependency dependency : this.controlDependencies) {
      requireVertex(vertices, dependency.from(), "control dependency " + dependency);
      requireVertex(vertices, dependency.to(), "control dependency " + dependency);
    }
    this.vertices = Collections.unmodifiableMap(inTopologicalOrder(vertices));
  }

  /** A graph of the same shape as another one, so that nothing has to be sorted or verified. */
  private IRDag(
      IRDag shape,
      Map<String, IRVertex> vertices,
      Map<String, IREdge> edges,
      Map<String, List<IREdge>> incoming,
      Map<String, List<IREdge>> outgoing,
      List<DagEdit> edits) {
    this.vertices = Collections.unmodifiableMap(vertices);
    this.edges = Collections.unmodifiableMap(edges);
    this.controlDependencies = shape.controlDependencies;
    this.incoming = incoming;
    this.outgoing = outgoing;
    this.edits = List.copyOf(edits);
  }

  private static void requireVertex(Map<String, IRVertex> vertices, String id, String what) {
    if (!vertices.containsKey(id)) {
      throw new IllegalArgumentException(what + " refers to vertex " + id + ", which is not there");
    }
  }

  /** Kahn's algorithm; among vertices that are ready, the one that was added first goes first. */
  private Map<String, IRVertex> inTopologicalOrder(Map<String, IRVertex> unordered) {
    Map<String, Integer> missing = new HashMap<>();
    for (String id : unordered.keySet()) {
      missing.put(id, incoming(id).size());
    }
    Deque<String> ready = new ArrayDeque<>();
    unordered.keySet().stream().filter(id -> missing.get(id) == 0).forEach(ready::add);
    Map<String, IRVertex> ordered = new LinkedHashMap<>();
    while (!ready.isEmpty()) {
      String id = ready.remove();
      ordered.put(id, unordered.get(id));
      for (IREdge edge : outgoing(id)) {
        if (missing.merge(edge.to(), -1, Integer::sum) == 0) {
          ready.add(edge.to());
        }
      }
    }
    if (ordered.size() < unordered.size()) {
      Set<String> cycle = new LinkedHashSet<>(unordered.keySet());
      cycle.removeAll(ordered.keySet());
      throw new IllegalArgumentException("the graph has a cycle through or before " + cycle);
    }
    return ordered;
  }

  /** An empty builder, for front ends. */
  public static Builder builder() {
    return new Builder();
  }

  /** A builder that starts with what is in this graph; what it builds has no {@link #edits()}. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    vertices.values().forEach(builder::add);
    edges.values().forEach(builder::add);
    controlDependencies.forEach(builder::add);
    return builder;
  }

  /**
   * The graph after an edit.
   *
   * @throws IllegalArgumentException when the edit does not fit this graph; the message says why
   */
  public IRDag apply(DagEdit edit) {
    IRDag result = edit.applyTo(this);
    List<DagEdit> lineage = new ArrayList<>(edits);
    lineage.add(edit);
    return new IRDag(
        result, result.vertices, result.edges, result.incoming, result.outgoing, lineage);
  }

  /**
   * The graph with a changed copy in the place of the vertex with the same id; it has no {@link
   * #edits()}. Much cheaper than a builder, since the shape stays.
   */
  public IRDag withVertex(IRVertex vertex) {
    vertex(vertex.id());
    Map<String, IRVertex> changed = new LinkedHashMap<>(vertices);
    changed.put(vertex.id(), vertex);
    return new IRDag(this, changed, edges, incoming, outgoing, List.of());
  }

  /**
   * The graph with other properties on an edge; it has no {@link #edits()}. Much cheaper than a
   * builder, since the shape stays.
   */
  public IRDag withEdgeProperties(String id, ExecutionProperties<EdgeProperty> properties) {
    IREdge before = edge(id);
    IREdge after = before.withProperties(properties);
    Map<String, IREdge> changed = new LinkedHashMap<>(edges);
    changed.put(id, after);
    return new IRDag(
        this,
        vertices,
        changed,
        replaced(incoming, before.to(), before, after),
        replaced(outgoing, before.from(), before, after),
        List.of());
  }

  private static Map<String, List<IREdge>> replaced(
      Map<String, List<IREdge>> ends, String vertexId, IREdge before, IREdge after) {
    Map<String, List<IREdge>> changed = new HashMap<>(ends);
    List<IREdge> list = new ArrayList<>(ends.get(vertexId));
    list.set(list.indexOf(before), after);
    changed.put(vertexId, list);
    return changed;
  }

  /** All vertices, every producer before its consumers. */
  public Collection<IRVertex> vertices() {
    return vertices.values();
  }

  /** All edges, in the order in which they were added. */
  public Collection<IREdge> edges() {
    return edges.values();
  }

  public Set<ControlDependency> controlDependencies() {
    return controlDependencies;
  }

  /** The edits that made this graph from the one that the front end built, in order. */
  public List<DagEdit> edits() {
    return edits;
  }

  public boolean hasVertex(String id) {
    return vertices.containsKey(id);
  }

  public boolean hasEdge(String id) {
    return edges.containsKey(id);
  }

  /**
   * A vertex by id.
   *
   * @throws IllegalArgumentException when there is none
   */
  public IRVertex vertex(String id) {
    IRVertex vertex = vertices.get(id);
    if (vertex == null) {
      throw new IllegalArgumentException("no vertex " + id + " in the graph");
    }
    return vertex;
  }

  /**
   * An edge by id.
   *
   * @throws IllegalArgumentException when there is none
   */
  public IREdge edge(String id) {
    IREdge edge = edges.get(id);
    if (edge == null) {
      throw new IllegalArgumentException("no edge " + id + " in the graph");
    }
    return edge;
  }

  /** The edges into a vertex, in the order in which they were added. */
  public List<IREdge> incoming(String vertexId) {
    return Collections.unmodifiableList(incoming.getOrDefault(vertexId, List.of()));
  }

  /** The edges out of a vertex, in the order in which they were added. */
  public List<IREdge> outgoing(String vertexId) {
    return Collections.unmodifiableList(outgoing.getOrDefault(vertexId, List.of()));
  }

  /**
   * Vertices that wait for each other when control dependencies count as edges, and messages that
   * say what tasks read do; in topological order of the data; empty when there are none, as it must
   * be in a graph that is to run.
   */
  public List<String> waitCycle() {
    Map<String, Set<String>> waitsFor = waitsFor();
    Map<String, Set<String>> releases = new HashMap<>();
    vertices.keySet().forEach(id -> releases.put(id, new LinkedHashSet<>()));
    waitsFor.forEach((id, others) -> others.forEach(other -> releases.get(other).add(id)));
    // What can be run from the front and what can be run from the back is on no cycle.
    peel(waitsFor, releases);
    peel(releases, waitsFor);
    return List.copyOf(waitsFor.keySet());
  }

  /**
   * For each vertex those that it waits for directly, when control dependencies and messages count
   * as in {@link #waitCycle}. The caller may change what it gets.
   */
  public Map<String, Set<String>> waitsFor() {
    Map<String, Set<String>> waitsFor = new LinkedHashMap<>();
    vertices.keySet().forEach(id -> waitsFor.put(id, new LinkedHashSet<>()));
    edges.values().forEach(edge -> waitsFor.get(edge.to()).add(edge.from()));
    controlDependencies.forEach(wait -> waitsFor.get(wait.to()).add(wait.from()));
    new MessageWaits(this)
        .all()
        .forEach(wait -> waitsFor.get(wait.vertex()).add(wait.aggregation()));
    return waitsFor;
  }

  private static void peel(Map<String, Set<String>> missing, Map<String, Set<String>> next) {
    Deque<String> free = new ArrayDeque<>();
    missing.forEach(
        (id, needs) -> {
          if (needs.isEmpty()) {
            free.add(id);
          }
        });
    while (!free.isEmpty()) {
      String id = free.remove();
      missing.remove(id);
      for (String other : next.remove(id)) {
        Set<String> needs = missing.get(other);
        if (needs != null && needs.remove(id) && needs.isEmpty()) {
          free.add(other);
        }
      }
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof IRDag that
        && vertices.equals(that.vertices)
        && edges.equals(that.edges)
        && controlDependencies.equals(that.controlDependencies);
  }

  @Override
  public int hashCode() {
    return Objects.hash(vertices, edges, controlDependencies);
  }

  @Override
  public String toString() {
    return "IRDag[" + vertices.size() + " vertices, " + edges.size() + " edges]";
  }

  /** Collects the parts of a graph. Not thread-safe. */
  public static final class Builder {

    private final Map<String, IRVertex> vertices = new LinkedHashMap<>();
    private final Map<String, IREdge> edges = new LinkedHashMap<>();
    private final Set<ControlDependency> controlDependencies = new LinkedHashSet<>();

    private Builder() {}

    /**
     * Adds a vertex.
     *
     * @throws IllegalArgumentException when the id is taken
     */
    public Builder add(IRVertex vertex) {
      if (vertices.putIfAbsent(vertex.id(), vertex) != null) {
        throw new IllegalArgumentException("there is already a vertex " + vertex.id());
      }
      return this;
    }

    /**
     * Adds an edge.
     *
     * @throws IllegalArgumentException when the id is taken
     */
    public Builder add(IREdge edge) {
      if (edges.putIfAbsent(edge.id(), edge) != null) {
        throw new IllegalArgumentException("there is already an edge " + edge.id());
      }
      return this;
    }

    public Builder add(ControlDependency dependency) {
      controlDependencies.add(dependency);
      return this;
    }

    /** Puts a changed copy in the place of the vertex with the same id. */
    public Builder replace(IRVertex vertex) {
      if (vertices.replace(vertex.id(), vertex) == null) {
        throw new IllegalArgumentException("no vertex " + vertex.id() + " to replace");
      }
      return this;
    }

    /** Puts a changed copy in the place of the edge with the same id. */
    public Builder replace(IREdge edge) {
      if (edges.replace(edge.id(), edge) == null) {
        throw new IllegalArgumentException("no edge " + edge.id() + " to replace");
      }
      return this;
    }

    /** Takes a vertex out; its edges must be taken out or moved too. */
    public Builder removeVertex(String id) {
      if (vertices.remove(id) == null) {
        throw new IllegalArgumentException("no vertex " + id + " to remove");
      }
      return this;
    }

    public Builder removeEdge(String id) {
      if (edges.remove(id) == null) {
        throw new IllegalArgumentException("no edge " + id + " to remove");
      }
      return this;
    }

    public Builder remove(ControlDependency dependency) {
      controlDependencies.remove(dependency);
      return this;
    }

    /**
     * The graph.
     *
     * @throws IllegalArgumentException when an edge lacks an end, or the graph has a cycle
     */
    public IRDag build() {
      return new IRDag(vertices, edges, controlDependencies, List.of());
    }
  }
}
