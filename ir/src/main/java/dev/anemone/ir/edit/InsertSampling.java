package dev.anemone.ir.edit;

import static dev.anemone.ir.edit.EditPreconditions.cloneOf;
import static dev.anemone.ir.edit.EditPreconditions.require;
import static dev.anemone.ir.edit.EditPreconditions.requireNoDeadlock;

import dev.anemone.ir.ControlDependency;
import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.MetricAggregationVertex;
import dev.anemone.ir.MetricCollectionVertex;
import dev.anemone.ir.SampledVertex;
import dev.anemone.ir.property.AntiAffinity;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.EdgeProperty;
import dev.anemone.ir.property.ExecutionProperties;
import dev.anemone.ir.property.KeyEncoder;
import dev.anemone.ir.property.KeyExtractor;
import dev.anemone.ir.property.Order;
import dev.anemone.ir.property.Parallelism;
import dev.anemone.ir.property.Partitioner;
import dev.anemone.ir.property.SplitAssignment;
import dev.anemone.ir.property.VertexProperty;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * Runs a sample of a stage's tasks ahead of the stage itself, to measure what the stage will send
 * over its shuffles. After Lee, <i>Dynamic Optimization of Large-Scale Data Shuffling in a Data
 * Processing System</i>, 2019.
 *
 * <pre>
 * before:  X --e1--> A --e2 ONE_TO_ONE--> B --s SHUFFLE--> C
 *          (stage {A, B}, measured edge s, message m)
 *
 * after:   X --e1--> A --e2 ONE_TO_ONE--> B --s SHUFFLE--> C
 *                    ^
 *                    : control dependency
 *                    m-aggregation
 *                    ^ m-aggregation-s SHUFFLE (spread)
 *                    m-collection-s
 *                    ^ m-collection-s ONE_TO_ONE
 *                    B-sampled
 *                    ^ e2-sampled ONE_TO_ONE
 *          X --e1-sampled--> A-sampled
 * </pre>
 *
 * <p>Clones have as many tasks as the sample and otherwise the properties of their originals; their
 * in-edges repeat those of the originals, {@code PartitionSet} included, since clone task {@code k}
 * reads what task {@code sample[k]} of the original reads. The originals' first vertices wait for
 * the aggregated message.
 *
 * @param edgeIds the shuffles to measure; their producers are in the stage
 * @param stage ids of the vertices to clone, joined by ONE_TO_ONE edges
 * @param sample indices of tasks of the stage, ascending and distinct
 * @param messageId names the message; no other sampling in the graph may have it
 * @param pass the pass that inserts the sampling
 */
public record InsertSampling(
    List<String> edgeIds, Set<String> stage, List<Integer> sample, String messageId, String pass)
    implements DagEdit {

  public InsertSampling {
    edgeIds = List.copyOf(edgeIds);
    // Sorted, so that the same edit always adds vertices and edges in the same order.
    stage = Collections.unmodifiableSet(new TreeSet<>(stage));
    sample = List.copyOf(sample);
    Objects.requireNonNull(messageId, "messageId");
    Objects.requireNonNull(pass, "pass");
    require(!edgeIds.isEmpty(), "sampling " + messageId + " needs at least one edge to measure");
    require(
        new HashSet<>(edgeIds).size() == edgeIds.size(),
        "sampling " + messageId + " measures an edge twice: " + edgeIds);
    require(!sample.isEmpty(), "sampling " + messageId + " needs at least one task to run");
    for (int k = 0; k < sample.size(); k++) {
      require(
          sample.get(k) >= 0 && (k == 0 || sample.get(k - 1) < sample.get(k)),
          "sampling " + messageId + " needs ascending, distinct task indices, got " + sample);
    }
  }

  /** An edit that measures one edge. */
  public static InsertSampling of(
      String edgeId, Set<String> stage, List<Integer> sample, String messageId, String pass) {
    return new InsertSampling(List.of(edgeId), stage, sample, messageId, pass);
  }

  @Override
  public IRDag applyTo(IRDag dag) {
    requireStage(dag);
    requireEdges(dag);
    requireNewMessage(dag);

    IRDag.Builder builder = dag.toBuilder();
    for (String id : stage) {
      builder.add(cloneVertex(dag.vertex(id)));
    }
    for (String id : stage) {
      for (IREdge edge : dag.incoming(id)) {
        String from = stage.contains(edge.from()) ? cloneId(edge.from()) : edge.from();
        builder.add(
            new IREdge(
                cloneId(edge.id()),
                from,
                edge.output(),
                cloneId(id),
                edge.input(),
                edge.elementCoder(),
                edge.properties()));
      }
    }
    String aggregation = messageId + "-aggregation";
    builder.add(
        new MetricAggregationVertex(
            aggregation,
            "aggregation of " + messageId,
            messageId,
            pass,
            ExecutionProperties.of(new Parallelism(1))));
    for (String edgeId : edgeIds) {
      addCollection(builder, dag, dag.edge(edgeId), aggregation);
    }
    for (String id : stage) {
      if (dag.incoming(id).stream().noneMatch(edge -> stage.contains(edge.from()))) {
        builder.add(new ControlDependency(aggregation, id));
      }
    }
    return requireNoDeadlock(builder.build(), "insert sampling " + messageId);
  }

  private void addCollection(
      IRDag.Builder builder, IRDag dag, IREdge measured, String aggregation) {
    String collection = messageId + "-collection-" + measured.id();
    builder.add(
        new MetricCollectionVertex(
            collection,
            "collection of " + messageId,
            messageId,
            measured.id(),
            pass,
            cloneProperties(dag.vertex(measured.from())).without(SplitAssignment.class)));
    ExecutionProperties<EdgeProperty> properties =
        ExecutionProperties.of(CommunicationPattern.ONE_TO_ONE);
    if (measured.property(KeyExtractor.class).isPresent()) {
      properties = properties.with(measured.property(KeyExtractor.class).get());
    }
    if (measured.property(KeyEncoder.class).isPresent()) {
      properties = properties.with(measured.property(KeyEncoder.class).get());
    }
    builder.add(
        new IREdge(
            collection,
            cloneId(measured.from()),
            measured.output(),
            collection,
            IREdge.MAIN,
            measured.elementCoder(),
            properties));
    builder.add(
        new IREdge(
            messageId + "-aggregation-" + measured.id(),
            collection,
            IREdge.MAIN,
            aggregation,
            IREdge.MAIN,
            MetricCollectionVertex.MESSAGE_CODER,
            ExecutionProperties.of(
                CommunicationPattern.SHUFFLE, Order.NONE, new Partitioner.Spread())));
  }

  private SampledVertex cloneVertex(IRVertex original) {
    return new SampledVertex(
        cloneId(original.id()),
        "sample of " + original.name(),
        original.id(),
        sample,
        pass,
        cloneProperties(original));
  }

  private ExecutionProperties<VertexProperty> cloneProperties(IRVertex original) {
    ExecutionProperties<VertexProperty> properties =
        original.properties().with(new Parallelism(sample.size()));
    if (original.property(AntiAffinity.class).isEmpty()) {
      return properties;
    }
    Set<Integer> apart = new TreeSet<>();
    for (int k = 0; k < sample.size(); k++) {
      if (original.property(AntiAffinity.class).get().tasks().contains(sample.get(k))) {
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

  private void requireStage(IRDag dag) {
    String what = "cannot sample stage " + stage + " for " + messageId + ": ";
    for (String id : stage) {
      IRVertex vertex = dag.vertex(id);
      require(
          !(vertex instanceof SampledVertex
              || vertex instanceof MetricCollectionVertex
              || vertex instanceof MetricAggregationVertex),
          what + "vertex " + id + " itself belongs to a sampling");
      require(
          cloneOf(dag, id).isEmpty(),
          what + "vertex " + id + " is sampled already; measure all edges of a stage in one edit");
      vertex
          .property(Parallelism.class)
          .ifPresent(
              parallelism ->
                  require(
                      sample.get(sample.size() - 1) < parallelism.tasks(),
                      what
                          + "vertex "
                          + id
                          + " has "
                          + parallelism.tasks()
                          + " tasks, so that there is no task "
                          + sample.get(sample.size() - 1)));
      for (IREdge edge : dag.incoming(id)) {
        require(
            !stage.contains(edge.from()) || edge.pattern() == CommunicationPattern.ONE_TO_ONE,
            what + "edge " + edge.id() + " inside it is " + edge.pattern() + ", not ONE_TO_ONE");
      }
    }
    Set<String> reached = joined(dag);
    require(
        reached.size() == stage.size(),
        what + "no ONE_TO_ONE edges join " + reached + " with its other vertices");
  }

  /** What ONE_TO_ONE edges inside the stage join with its first vertex. */
  private Set<String> joined(IRDag dag) {
    Set<String> reached = new TreeSet<>();
    Deque<String> open = new ArrayDeque<>();
    stage.stream().findFirst().ifPresent(open::add);
    while (!open.isEmpty()) {
      String id = open.remove();
      if (reached.add(id)) {
        dag.incoming(id).stream().map(IREdge::from).filter(stage::contains).forEach(open::add);
        dag.outgoing(id).stream().map(IREdge::to).filter(stage::contains).forEach(open::add);
      }
    }
    return reached;
  }

  private void requireEdges(IRDag dag) {
    for (String id : edgeIds) {
      IREdge edge = dag.edge(id);
      require(
          edge.pattern() == CommunicationPattern.SHUFFLE,
          "cannot measure edge "
              + id
              + " for "
              + messageId
              + ": it is "
              + edge.pattern()
              + ", not SHUFFLE");
      require(
          stage.contains(edge.from()),
          "cannot measure edge "
              + id
              + " for "
              + messageId
              + ": it starts at "
              + edge.from()
              + ", which is not in the stage "
              + stage);
    }
  }

  private void requireNewMessage(IRDag dag) {
    for (IRVertex vertex : dag.vertices()) {
      require(
          !(vertex instanceof MetricAggregationVertex aggregation
              && aggregation.messageId().equals(messageId)),
          "cannot sample for "
              + messageId
              + ": vertex "
              + vertex.id()
              + " aggregates a message of that id already");
    }
  }
}
