// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.skew;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.MetricAggregationVertex;
import dev.anemone.ir.MetricCollectionVertex;
import dev.anemone.ir.SampledVertex;
import dev.anemone.ir.message.ShuffleSizes;
import dev.anemone.ir.message.SizeHistogram;
import dev.anemone.ir.property.Parallelism;
import dev.anemone.ir.property.PartitionSet;
import dev.anemone.passes.graph.OneToOneGroups;
import dev.anemone.passes.graph.RelayChain;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/** Makes the messages that a job would send for the samplings of a graph. */
final class Messages {

  private Messages() {}

  /** The ids of the messages of a graph, producers before consumers. */
  static List<String> ids(IRDag dag) {
    return dag.vertices().stream()
        .filter(MetricAggregationVertex.class::isInstance)
        .map(vertex -> ((MetricAggregationVertex) vertex).messageId())
        .toList();
  }

  /**
   * A message.
   *
   * @param sampled what the sampled tasks have sent, by edge and number of partitions
   */
  static ShuffleSizes of(IRDag dag, String messageId, BiFunction<String, Integer, long[]> sampled) {
    OneToOneGroups groups = OneToOneGroups.of(dag);
    Map<List<String>, List<String>> blocks = new LinkedHashMap<>();
    for (IRVertex vertex : dag.vertices()) {
      if (vertex instanceof MetricCollectionVertex collection
          && collection.messageId().equals(messageId)) {
        IREdge edge = dag.edge(collection.measured());
        String stage = groups.of(dag.vertex(edge.from())).get(0).id();
        String reader = groups.of(dag.vertex(edge.to())).get(0).id();
        blocks.computeIfAbsent(List.of(stage, reader), k -> new ArrayList<>()).add(edge.id());
      }
    }
    List<ShuffleSizes.Shuffle> shuffles = new ArrayList<>();
    for (List<String> edges : blocks.values()) {
      IREdge edge = dag.edge(edges.get(0));
      List<IREdge> chain = RelayChain.from(dag, edge);
      int partitions =
          chain
              .get(chain.size() - 1)
              .property(PartitionSet.class)
              .map(PartitionSet::partitions)
              .orElseThrow();
      shuffles.add(
          new ShuffleSizes.Shuffle(
              edges,
              SizeHistogram.of(messageId, sampled.apply(edge.id(), partitions)),
              sampledTasks(dag, edge.from()),
              dag.vertex(edge.from()).property(Parallelism.class).orElseThrow().tasks()));
    }
    return new ShuffleSizes(messageId, shuffles);
  }

  private static int sampledTasks(IRDag dag, String producer) {
    return dag.vertices().stream()
        .filter(v -> v instanceof SampledVertex clone && clone.original().equals(producer))
        .map(v -> ((SampledVertex) v).sample().size())
        .findFirst()
        .orElseThrow();
  }
}
