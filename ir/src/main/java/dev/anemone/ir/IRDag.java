// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir;

import dev.anemone.ir.edit.DagEdit;
import dev.anemone.ir.property.EdgeProperty;
import java.util.AbstractList;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.RandomAccess;
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

  private final DagShape shape;

  /** In topological order, as the shape has their positions; never changed. */
  private final IRVertex[] vertices;

  /** In the order in which they were added, as the shape has their positions; never changed. */
  private final IREdge[] edges;

  /** The last edit and those before it; null when there was none. */
  private final Lineage lineage;

  private IRDag(DagShape shape, IRVertex[] vertices, IREdge[] edges, Lineage lineage) {
    this.shape = shape;
    this.vertices = vertices;
    this.edges = edges;
    this.lineage = lineage;
  }

  /**
   * Edits as a list that grows at its end without being copied. No record, whose methods would go
   * down as many calls as there are edits.
   */
  private static final class Lineage {

    private final Lineage earlier;
    private final DagEdit last;
    private final int length;

    Lineage(Lineage earlier, DagEdit last) {
      this.earlier = earlier;
      this.last = last;
      this.length = lengthOf(earlier) + 1;
    }

    static int lengthOf(Lineage lineage) {
      return lineage == null ? 0 : lineage.length;
    }
  }

  /** An empty builder, for front ends. */
  public static Builder builder() {
    return new Builder();
  }

  /** A builder that starts with what is in this graph; what it builds has no {@link #edits()}. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    vertices().forEach(builder::add);
    edges().forEach(builder::add);
    controlDependencies().forEach(builder::add);
    return builder;
  }

  /**
   * The graph after an edit.
   *
   * @throws IllegalArgumentException when the edit does not fit this graph; the message says why
   */
  public IRDag apply(DagEdit edit) {
    IRDag result = edit.applyTo(this);
    return new IRDag(result.shape, result.vertices, result.edges, new Lineage(lineage, edit));
  }

  /**
   * The graph with a changed copy in the place of the vertex with the same id; it has no {@link
   * #edits()}. Much cheaper than a builder, since the shape stays.
   *
   * @throws IllegalArgumentException when there is no such vertex
   */
  public IRDag withVertex(IRVertex vertex) {
    IRVertex[] changed = vertices.clone();
    changed[shape.vertexPosition(vertex.id())] = vertex;
    return new IRDag(shape, changed, edges, null);
  }

  /**
   * The graph with other properties on an edge; it has no {@link #edits()}. Much cheaper than a
   * builder, since the shape stays.
   *
   * @throws IllegalArgumentException when there is no such edge
   */
  public IRDag withEdgeProperties(String id, ExecutionProperties<EdgeProperty> properties) {
    int position = shape.edgePosition(id);
    IREdge[] changed = edges.clone();
    changed[position] = edges[position].withProperties(properties);
    return new IRDag(shape, vertices, changed, null);
  }

  /** All vertices, every producer before its consumers. */
  public Collection<IRVertex> vertices() {
    return Collections.unmodifiableList(Arrays.asList(vertices));
  }

  /** All edges, in the order in which they were added. */
  public Collection<IREdge> edges() {
    return Collections.unmodifiableList(Arrays.asList(edges));
  }

  public Set<ControlDependency> controlDependencies() {
    return shape.controlDependencies();
  }

  /** The edits that made this graph from the one that the front end built, in order. */
  public List<DagEdit> edits() {
    DagEdit[] inOrder = new DagEdit[Lineage.lengthOf(lineage)];
    Lineage at = lineage;
    for (int i = inOrder.length - 1; i >= 0; i--) {
      inOrder[i] = at.last;
      at = at.earlier;
    }
    return Collections.unmodifiableList(Arrays.asList(inOrder));
  }

  public boolean hasVertex(String id) {
    return shape.hasVertex(id);
  }

  public boolean hasEdge(String id) {
    return shape.hasEdge(id);
  }

  /**
   * A vertex by id.
   *
   * @throws IllegalArgumentException when there is none
   */
  public IRVertex vertex(String id) {
    return vertices[shape.vertexPosition(id)];
  }

  /**
   * An edge by id.
   *
   * @throws IllegalArgumentException when there is none
   */
  public IREdge edge(String id) {
    return edges[shape.edgePosition(id)];
  }

  /** The edges into a vertex, in the order in which they were added. */
  public List<IREdge> incoming(String vertexId) {
    return new EdgesAt(edges, shape.incoming(vertexId));
  }

  /** The edges out of a vertex, in the order in which they were added. */
  public List<IREdge> outgoing(String vertexId) {
    return new EdgesAt(edges, shape.outgoing(vertexId));
  }

  /** Some of the edges of a graph. */
  private static final class EdgesAt extends AbstractList<IREdge> implements RandomAccess {

    private final IREdge[] edges;
    private final int[] positions;

    EdgesAt(IREdge[] edges, int[] positions) {
      this.edges = edges;
      this.positions = positions;
    }

    @Override
    public IREdge get(int index) {
      return edges[positions[index]];
    }

    @Override
    public int size() {
      return positions.length;
    }
  }

  /**
   * Vertices that wait for each other when control dependencies count as edges, and messages that
   * say what tasks read do; in topological order of the data; empty when there are none, as it must
   * be in a graph that is to run.
   */
  public List<String> waitCycle() {
    Map<String, Set<String>> waitsFor = waitsFor();
    Map<String, Set<String>> releases = new HashMap<>();
    waitsFor.keySet().forEach(id -> releases.put(id, new LinkedHashSet<>()));
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
    vertices().forEach(vertex -> waitsFor.put(vertex.id(), new LinkedHashSet<>()));
    edges().forEach(edge -> waitsFor.get(edge.to()).add(edge.from()));
    controlDependencies().forEach(wait -> waitsFor.get(wait.to()).add(wait.from()));
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
    if (!(other instanceof IRDag that)) {
      return false;
    }
    if (shape == that.shape) {
      return Arrays.equals(vertices, that.vertices) && Arrays.equals(edges, that.edges);
    }
    return vertices.length == that.vertices.length
        && edges.length == that.edges.length
        && controlDependencies().equals(that.controlDependencies())
        && vertices().stream()
            .allMatch(v -> that.hasVertex(v.id()) && v.equals(that.vertex(v.id())))
        && edges().stream().allMatch(e -> that.hasEdge(e.id()) && e.equals(that.edge(e.id())));
  }

  @Override
  public int hashCode() {
    return Objects.hash(new HashSet<>(vertices()), new HashSet<>(edges()), controlDependencies());
  }

  @Override
  public String toString() {
    return "IRDag[" + vertices.length + " vertices, " + edges.length + " edges]";
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
      DagShape shape = DagShape.of(vertices.keySet(), edges.values(), controlDependencies);
      IRVertex[] inOrder =
          shape.inTopologicalOrder().stream().map(vertices::get).toArray(IRVertex[]::new);
      return new IRDag(shape, inOrder, edges.values().toArray(IREdge[]::new), null);
    }
  }
}
