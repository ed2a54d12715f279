// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.skew;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.MetricAggregationVertex;
import dev.anemone.ir.MetricCollectionVertex;
import dev.anemone.ir.RelayVertex;
import dev.anemone.ir.SampledVertex;
import dev.anemone.ir.ShuffleAliases;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.DataFlow;
import dev.anemone.ir.property.Order;
import dev.anemone.ir.property.Parallelism;
import dev.anemone.ir.property.PartitionSet;
import dev.anemone.ir.property.Partitioner;
import dev.anemone.passes.graph.GroupWaits;
import dev.anemone.passes.graph.OneToOneGroups;
import dev.anemone.passes.graph.RelayChain;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A group of vertices that one-to-one edges join, and the shuffles by key into it. What a task of
 * it reads over all of these counts together, so that they are measured and drawn together, or not
 * at all.
 *
 * @param vertices of the group
 * @param shuffles into it by key; where a relay is between it and the producer, the one from the
 *     relay
 */
public record KeyedConsumer(List<IRVertex> vertices, List<IREdge> shuffles) {

  /** The groups of a graph into which shuffles by key lead, other than those that passes put in. */
  public static List<KeyedConsumer> all(IRDag dag) {
    List<KeyedConsumer> consumers = new ArrayList<>();
    for (List<IRVertex> vertices : OneToOneGroups.of(dag).all()) {
      List<IREdge> shuffles =
          vertices.stream()
              .filter(vertex -> isOfProgram(dag, vertex))
              .flatMap(vertex -> dag.incoming(vertex.id()).stream())
              .filter(KeyedConsumer::isByKey)
              .toList();
      if (!shuffles.isEmpty()) {
        consumers.add(new KeyedConsumer(vertices, shuffles));
      }
    }
    return consumers;
  }

  /** Whether a vertex reads shuffles for the program, and not for a pass. */
  static boolean isOfProgram(IRDag dag, IRVertex vertex) {
    return !(vertex instanceof RelayVertex
        || isOfSampling(vertex)
        || ShuffleAliases.isRecombiner(dag, vertex.id()));
  }

  private static boolean isOfSampling(IRVertex vertex) {
    return vertex instanceof SampledVertex
        || vertex instanceof MetricCollectionVertex
        || vertex instanceof MetricAggregationVertex;
  }

  static boolean isByKey(IREdge edge) {
    return edge.pattern() == CommunicationPattern.SHUFFLE
        && edge.property(Order.class).orElse(Order.NONE) == Order.BY_KEY;
  }

  int tasks() {
    return tasks(vertices.get(0));
  }

  static int tasks(IRVertex vertex) {
    return vertex.property(Parallelism.class).orElseThrow().tasks();
  }

  /** The edges by which producers write the shuffles: those before relays, where there are any. */
  List<IREdge> written(IRDag dag) {
    return shuffles.stream().map(edge -> RelayChain.first(dag, edge)).toList();
  }

  /** Why shuffles into groups of a graph cannot be measured. Not thread-safe. */
  public static final class Obstacles {

    private final IRDag dag;
    private final Set<String> sampled;
    private final OneToOneGroups groups;
    private final GroupWaits waits;

    public Obstacles(IRDag dag) {
      this.dag = dag;
      this.sampled =
          dag.vertices().stream()
              .filter(SampledVertex.class::isInstance)
              .map(vertex -> ((SampledVertex) vertex).original())
              .collect(Collectors.toSet());
      this.groups = OneToOneGroups.of(dag);
      this.waits = GroupWaits.of(dag);
    }

    /** Those of a group, by the edge that speaks against it. */
    public Map<String, String> of(KeyedConsumer consumer) {
      Map<String, String> obstacles = new LinkedHashMap<>();
      for (IREdge edge : consumer.shuffles()) {
        obstacle(consumer, edge).ifPresent(reason -> obstacles.put(edge.id(), reason));
      }
      return obstacles;
    }

    private Optional<String> obstacle(KeyedConsumer consumer, IREdge edge) {
      if (consumer.tasks() == 1) {
        return Optional.of("its consumer has one task");
      }
      IREdge written = RelayChain.first(dag, edge);
      Optional<MetricCollectionVertex> collection = collectionOf(written);
      if (collection.isPresent()) {
        return Optional.of("it is measured for " + collection.get().messageId() + " already");
      }
      if (ShuffleAliases.isRecombiner(dag, edge.from())
          || ShuffleAliases.aliasOf(dag, edge).isPresent()) {
        return Optional.of("its consumer has a recombiner already");
      }
      if (!written.equals(edge) && !RelayChain.aggregates(dag, edge.from())) {
        return Optional.of("relay " + edge.from() + " before it does not aggregate shuffles");
      }
      for (IREdge part : List.of(written, edge)) {
        for (var type : List.of(Partitioner.class, PartitionSet.class)) {
          if (part.properties().asMap().containsKey(type)) {
            return Optional.of("it was given a " + type.getSimpleName());
          }
        }
      }
      if (edge.property(DataFlow.class).equals(Optional.of(DataFlow.PUSH))) {
        return Optional.of("its consumer runs beside its producers, which push");
      }
      IRVertex producer = dag.vertex(written.from());
      if (isOfSampling(producer)
          || groups.of(producer).stream().map(IRVertex::id).anyMatch(sampled::contains)) {
        return Optional.of("its producer belongs to a sampling already");
      }
      if (producer instanceof RelayVertex || ShuffleAliases.isRecombiner(dag, producer.id())) {
        return Optional.of("its producer was put in by a pass, and has no tasks to run ahead");
      }
      if (consumer.vertices().contains(producer)) {
        return Optional.of("one-to-one edges join its producer with its consumer");
      }
      return waits.waits(producer, consumer.vertices())
          ? Optional.of("its producer may run in tasks that wait for those of its consumer")
          : Optional.empty();
    }

    private Optional<MetricCollectionVertex> collectionOf(IREdge edge) {
      return dag.vertices().stream()
          .filter(MetricCollectionVertex.class::isInstance)
          .map(MetricCollectionVertex.class::cast)
          .filter(collection -> collection.measured().equals(edge.id()))
          .findFirst();
    }
  }
}
