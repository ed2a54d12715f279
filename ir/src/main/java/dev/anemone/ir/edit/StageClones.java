// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.edit;

import static dev.anemone.ir.edit.EditPreconditions.require;

import dev.anemone.ir.ExecutionProperties;
import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.MetricAggregationVertex;
import dev.anemone.ir.MetricCollectionVertex;
import dev.anemone.ir.RelayVertex;
import dev.anemone.ir.SampledVertex;
import dev.anemone.ir.ShuffleAliases;
import dev.anemone.ir.property.AntiAffinity;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.KeyFilters;
import dev.anemone.ir.property.Parallelism;
import dev.anemone.ir.property.ResourceSite;
import dev.anemone.ir.property.VertexProperty;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The clones of a sampled stage: those that are in a graph already, and those that are missing. */
final class StageClones {

  private final IRDag dag;
  private final SampledStage stage;
  private final String pass;
  private final String what;
  private final Map<String, SampledVertex> present = new LinkedHashMap<>();
  private final Map<String, SampledVertex> missing = new LinkedHashMap<>();

  /**
   * The clones of a stage.
   *
   * @param pass the pass that inserts the missing ones
   * @throws IllegalArgumentException when a vertex is cloned with another sample, or is not in the
   *     graph
   */
  StageClones(IRDag dag, SampledStage stage, String messageId, String pass) {
    this.dag = dag;
    this.stage = stage;
    this.pass = pass;
    this.what = "cannot sample stage " + stage.vertices() + " for " + messageId + ": ";
    for (String id : stage.vertices()) {
      Optional<SampledVertex> clone = EditPreconditions.cloneOf(dag, id);
      if (clone.isPresent()) {
        require(
            clone.get().sample().equals(stage.sample()),
            what
                + "vertex "
                + id
                + " is sampled already, by the tasks "
                + clone.get().sample()
                + " and not "
                + stage.sample());
        present.put(id, clone.get());
      } else {
        missing.put(id, newClone(dag.vertex(id)));
      }
    }
  }

  boolean has(String vertexId) {
    return stage.vertices().contains(vertexId);
  }

  /** The clone of a vertex of the stage. */
  SampledVertex cloneOf(String vertexId) {
    return present.containsKey(vertexId) ? present.get(vertexId) : missing.get(vertexId);
  }

  /** The vertices of the original stage that wait for the message. */
  List<String> heldVertices() {
    return stage.held()
        ? stage.vertices().stream()
            .filter(id -> dag.incoming(id).stream().noneMatch(edge -> has(edge.from())))
            .toList()
        : List.of();
  }

  /** Adds the missing clones, which read the clones of what their originals read. */
  void addTo(IRDag.Builder builder) {
    missing.values().forEach(builder::add);
    for (String id : missing.keySet()) {
      for (IREdge edge : dag.incoming(id)) {
        builder.add(
            new IREdge(
                cloneId(edge.id()),
                has(edge.from()) ? cloneOf(edge.from()).id() : edge.from(),
                edge.output(),
                cloneOf(id).id(),
                edge.input(),
                edge.elementCoder(),
                edge.properties()));
      }
    }
  }

  private SampledVertex newClone(IRVertex original) {
    return new SampledVertex(
        cloneId(original.id()),
        "sample of " + original.name(),
        original.id(),
        stage.sample(),
        pass,
        cloneProperties(original));
  }

  private ExecutionProperties<VertexProperty> cloneProperties(IRVertex original) {
    ExecutionProperties<VertexProperty> properties =
        original
            .properties()
            .without(ResourceSite.class)
            // They name readers that are not in this stage; without them a clone reads more only.
            .without(KeyFilters.class)
            .with(new Parallelism(stage.sample().size()));
    if (original.property(AntiAffinity.class).isEmpty()) {
      return properties;
    }
    Set<Integer> apart = new TreeSet<>();
    for (int k = 0; k < stage.sample().size(); k++) {
      if (original.property(AntiAffinity.class).get().tasks().contains(stage.sample().get(k))) {
        apart.add(k);
      }
    }
    return apart.isEmpty()
        ? properties.without(AntiAffinity.class)
        : properties.with(new AntiAffinity(apart));
  }

  private static String cloneId(String id) {
    return id + "-sampled";
  }

  /**
   * Fails unless the vertices are a stage that can be sampled to measure these edges.
   *
   * @throws IllegalArgumentException when they are not; the message says why
   */
  void requireSampled(Collection<String> edgeIds) {
    for (String id : stage.vertices()) {
      requireKind(dag.vertex(id));
      requireTasks(dag.vertex(id));
      for (IREdge edge : dag.incoming(id)) {
        require(
            !has(edge.from()) || edge.pattern() == CommunicationPattern.ONE_TO_ONE,
            what + "edge " + edge.id() + " inside it is " + edge.pattern() + ", not ONE_TO_ONE");
      }
    }
    Set<String> joined = reached(Set.of(stage.vertices().iterator().next()), true);
    require(
        joined.size() == stage.vertices().size(),
        what + "no ONE_TO_ONE edges join " + joined + " with its other vertices");
    requireNoneInVain(edgeIds);
    requireNoCloneOfReaders();
  }

  private void requireKind(IRVertex vertex) {
    require(
        !(vertex instanceof SampledVertex
            || vertex instanceof MetricCollectionVertex
            || vertex instanceof MetricAggregationVertex),
        what + "vertex " + vertex.id() + " itself belongs to a sampling");
    require(
        !(vertex instanceof RelayVertex),
        what + "vertex " + vertex.id() + " is a relay; measure the edges into it");
    require(
        !ShuffleAliases.isRecombiner(dag, vertex.id()),
        what + "vertex " + vertex.id() + " is a recombiner; measure the shuffles before it");
  }

  private void requireTasks(IRVertex vertex) {
    int last = stage.sample().get(stage.sample().size() - 1);
    vertex
        .property(Parallelism.class)
        .ifPresent(
            parallelism ->
                require(
                    last < parallelism.tasks(),
                    what
                        + "vertex "
                        + vertex.id()
                        + " has "
                        + parallelism.tasks()
                        + " tasks, so that there is no task "
                        + last));
  }

  /** A clone that leads to no measured edge would be run for nothing. */
  private void requireNoneInVain(Collection<String> edgeIds) {
    Set<String> producers =
        edgeIds.stream()
            .map(id -> dag.edge(id).from())
            .filter(this::has)
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> vain = new TreeSet<>(stage.vertices());
    vain.removeAll(reached(producers, false));
    require(
        vain.isEmpty(), what + "its vertices " + vain + " lead to none of the edges " + edgeIds);
  }

  /**
   * A present clone reads its input from the clone of an original that is in the same stage, or
   * else from the original; that cannot be changed under a message that has been inserted.
   */
  private void requireNoCloneOfReaders() {
    for (String id : missing.keySet()) {
      for (IREdge edge : dag.outgoing(id)) {
        require(
            !present.containsKey(edge.to()),
            what
                + "vertex "
                + edge.to()
                + " was sampled without vertex "
                + id
                + ", from which it reads; the first message that samples a stage must clone all"
                + " that leads to its measured edges");
      }
    }
  }

  /**
   * What edges inside the stage join with the given vertices, against or along and against them.
   */
  private Set<String> reached(Set<String> from, boolean bothWays) {
    Set<String> reached = new TreeSet<>();
    Deque<String> open = new ArrayDeque<>(from);
    while (!open.isEmpty()) {
      String id = open.remove();
      if (reached.add(id)) {
        dag.incoming(id).stream().map(IREdge::from).filter(this::has).forEach(open::add);
        if (bothWays) {
          dag.outgoing(id).stream().map(IREdge::to).filter(this::has).forEach(open::add);
        }
      }
    }
    return reached;
  }
}
