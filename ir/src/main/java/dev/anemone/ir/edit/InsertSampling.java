// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.edit;

import static dev.anemone.ir.edit.EditPreconditions.require;
import static dev.anemone.ir.edit.EditPreconditions.requireNoDeadlock;

import dev.anemone.ir.CombinerVertex;
import dev.anemone.ir.ControlDependency;
import dev.anemone.ir.ExecutionProperties;
import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.MetricAggregationVertex;
import dev.anemone.ir.MetricCollectionVertex;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.EdgeProperty;
import dev.anemone.ir.property.KeyEncoder;
import dev.anemone.ir.property.KeyExtractor;
import dev.anemone.ir.property.Order;
import dev.anemone.ir.property.Parallelism;
import dev.anemone.ir.property.Partitioner;
import dev.anemone.ir.property.ScheduleGroup;
import dev.anemone.ir.property.SplitAssignment;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Runs a sample of the tasks of one or more stages ahead of the others, to measure what the stages
 * will send over their shuffles into one consumer. After Lee, <i>Dynamic Optimization of
 * Large-Scale Data Shuffling in a Data Processing System</i>, 2019.
 *
 * <pre>
 * before:  X --e1--> A --e2 ONE_TO_ONE--> B --s SHUFFLE--> C
 *          (one stage {A, B}, measured edge s, message m)
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
 * the aggregated message where the stage is held.
 *
 * <p>A stage that sends to several consumers is cloned once: where another message has cloned some
 * of its vertices, with the same sample, their clones are used and only the others are added.
 *
 * @param edgeIds the shuffles to measure, none of which another message measures; the producer of
 *     each is in one of the stages
 * @param stages the stages to clone, disjoint; relays and recombiners cannot be sampled, since what
 *     they hand on can be measured before them
 * @param messageId names the message; no other sampling in the graph may have it
 * @param pass the pass that inserts the sampling
 */
public record InsertSampling(
    List<String> edgeIds, List<SampledStage> stages, String messageId, String pass)
    implements DagEdit {

  public InsertSampling {
    edgeIds = List.copyOf(edgeIds);
    stages = List.copyOf(stages);
    Objects.requireNonNull(messageId, "messageId");
    Objects.requireNonNull(pass, "pass");
    require(!edgeIds.isEmpty(), "sampling " + messageId + " needs at least one edge to measure");
    require(
        new HashSet<>(edgeIds).size() == edgeIds.size(),
        "sampling " + messageId + " measures an edge twice: " + edgeIds);
    Set<String> vertices = new HashSet<>();
    for (SampledStage stage : stages) {
      for (String id : stage.vertices()) {
        require(vertices.add(id), "sampling " + messageId + " has two stages with vertex " + id);
      }
    }
  }

  /** An edit that measures one edge and holds back the stage that it starts at. */
  public static InsertSampling of(
      String edgeId, Set<String> stage, List<Integer> sample, String messageId, String pass) {
    return new InsertSampling(
        List.of(edgeId), List.of(new SampledStage(stage, sample, true)), messageId, pass);
  }

  @Override
  public IRDag applyTo(IRDag dag) {
    requireNewMessage(dag);
    edgeIds.forEach(id -> requireMeasurable(dag, dag.edge(id)));
    List<StageClones> clones =
        stages.stream().map(stage -> new StageClones(dag, stage, messageId, pass)).toList();
    clones.forEach(stage -> stage.requireSampled(edgeIds));
    IRDag.Builder builder = dag.toBuilder();
    clones.forEach(stage -> stage.addTo(builder));
    String aggregation = messageId + "-aggregation";
    builder.add(
        new MetricAggregationVertex(
            aggregation,
            "aggregation of " + messageId,
            messageId,
            pass,
            ExecutionProperties.of(new Parallelism(1))));
    for (String edgeId : edgeIds) {
      IREdge measured = dag.edge(edgeId);
      for (StageClones stage : clones) {
        if (stage.has(measured.from())) {
          addCollection(builder, stage.cloneOf(measured.from()), measured, aggregation);
        }
      }
    }
    for (StageClones stage : clones) {
      stage.heldVertices().forEach(id -> builder.add(new ControlDependency(aggregation, id)));
    }
    IRDag sampled = requireNoDeadlock(builder.build(), "insert sampling " + messageId);
    requireGroupsInOrder(dag);
    return sampled;
  }

  /** What is held waits for all that is sampled, and so for what that reads. */
  private void requireGroupsInOrder(IRDag dag) {
    Map<String, Integer> latest = latestGroups(dag);
    int latestSampled =
        stages.stream()
            .flatMap(stage -> stage.vertices().stream())
            .mapToInt(id -> latest.getOrDefault(id, 0))
            .max()
            .orElse(0);
    for (SampledStage stage : stages) {
      for (String id : stage.vertices()) {
        Optional<ScheduleGroup> own = dag.vertex(id).property(ScheduleGroup.class);
        require(
            !stage.held() || own.isEmpty() || own.get().group() >= latestSampled,
            "cannot sample for "
                + messageId
                + ": vertex "
                + id
                + " is in schedule group "
                + own.map(ScheduleGroup::group).orElse(0)
                + ", and would wait for a stage of the later group "
                + latestSampled);
      }
    }
  }

  /** The latest group among a vertex and all that lead to it. */
  private static Map<String, Integer> latestGroups(IRDag dag) {
    Map<String, Integer> latest = new HashMap<>();
    for (IRVertex vertex : dag.vertices()) {
      int group = vertex.property(ScheduleGroup.class).map(ScheduleGroup::group).orElse(0);
      for (IREdge edge : dag.incoming(vertex.id())) {
        group = Math.max(group, latest.get(edge.from()));
      }
      latest.put(vertex.id(), group);
    }
    return latest;
  }

  private void addCollection(
      IRDag.Builder builder, IRVertex clone, IREdge measured, String aggregation) {
    String collection = messageId + "-collection-" + measured.id();
    builder.add(
        new MetricCollectionVertex(
            collection,
            "collection of " + messageId,
            messageId,
            measured.id(),
            pass,
            clone.properties().without(SplitAssignment.class)));
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
            clone.id(),
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

  private void requireMeasurable(IRDag dag, IREdge edge) {
    String what = "cannot measure edge " + edge.id() + " for " + messageId + ": ";
    require(
        edge.pattern() == CommunicationPattern.SHUFFLE,
        what + "it is " + edge.pattern() + ", not SHUFFLE");
    require(
        stages.stream().anyMatch(stage -> stage.vertices().contains(edge.from())),
        what
            + "it starts at "
            + edge.from()
            + ", which is not in "
            + (stages.size() == 1
                ? "the stage " + stages.get(0).vertices()
                : "any of the stages " + stages.stream().map(SampledStage::vertices).toList()));
    require(
        !(dag.vertex(edge.to()) instanceof CombinerVertex),
        what + "it brings recombiner " + edge.to() + " what is written for another shuffle");
    for (IRVertex vertex : dag.vertices()) {
      require(
          !(vertex instanceof MetricCollectionVertex collection
              && collection.measured().equals(edge.id())),
          what + "vertex " + vertex.id() + " measures it already");
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
