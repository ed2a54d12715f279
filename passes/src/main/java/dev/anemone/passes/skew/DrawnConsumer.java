// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.skew;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.MetricCollectionVertex;
import dev.anemone.ir.SampledVertex;
import dev.anemone.ir.ShuffleAliases;
import dev.anemone.ir.message.ShuffleSizes;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.Order;
import dev.anemone.ir.property.Parallelism;
import dev.anemone.ir.property.PartitionSet;
import dev.anemone.passes.graph.OneToOneGroups;
import dev.anemone.passes.graph.RelayChain;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The stage whose ranges a message draws: vertices that one-to-one edges join, and run in one task
 * therefore, so that what a task reads over all their shuffles counts together.
 *
 * @param vertices of the stage
 * @param shuffles into the stage by key, but not those from a recombiner; the measured edge itself,
 *     or the last one where relays are between it and the stage
 * @param recombiner that can take partitions of the shuffles, if there is one
 */
record DrawnConsumer(
    List<IRVertex> vertices, List<Drawn> shuffles, Optional<Recombiner> recombiner) {

  /**
   * A shuffle into the stage.
   *
   * @param edge into the stage
   * @param sizes what was measured of it; the same for several edges that are written together
   */
  record Drawn(IREdge edge, ShuffleSizes.Shuffle sizes) {}

  /**
   * A recombiner.
   *
   * @param vertex the recombiner
   * @param aliases the edges into it, one for each shuffle into the stage
   * @param out the edge from it into the stage
   */
  record Recombiner(IRVertex vertex, List<IREdge> aliases, IREdge out) {}

  /**
   * Why the ranges that a message is about cannot be drawn; empty when they can. Samplings that
   * were put in by hand may measure less than it takes.
   *
   * @throws IllegalArgumentException when nothing in the graph collects the message
   */
  static Optional<String> obstacle(IRDag dag, ShuffleSizes message) {
    Set<String> drawn = new LinkedHashSet<>();
    Collection<IREdge> last = lastEdges(dag, message).values();
    last.forEach(edge -> drawn.add(edge.id()));
    IREdge first = last.iterator().next();
    Set<String> byKey = new LinkedHashSet<>();
    for (IRVertex vertex : OneToOneGroups.of(dag).of(dag.vertex(first.to()))) {
      for (IREdge edge : dag.incoming(vertex.id())) {
        if (isByKey(edge) && !ShuffleAliases.isRecombiner(dag, edge.from())) {
          byKey.add(edge.id());
        }
      }
    }
    return byKey.equals(drawn)
        ? Optional.empty()
        : Optional.of(
            "the sizes of "
                + drawn
                + " are known, but the stage of "
                + first.to()
                + " reads "
                + byKey
                + " by key, and ranges are drawn of all of them together");
  }

  /**
   * Finds the stage of a message to which there is no {@link #obstacle}.
   *
   * @throws IllegalArgumentException when the message does not fit the graph
   */
  static DrawnConsumer of(IRDag dag, ShuffleSizes message) {
    List<Drawn> shuffles = new ArrayList<>();
    lastEdges(dag, message)
        .forEach((id, edge) -> shuffles.add(new Drawn(edge, sizes(message, id))));
    shuffles.forEach(shuffle -> requirePartitions(dag, message, shuffle.edge()));
    String consumer = shuffles.get(0).edge().to();
    return new DrawnConsumer(
        OneToOneGroups.of(dag).of(dag.vertex(consumer)), shuffles, recombiner(dag, consumer));
  }

  /** By the id of each measured edge, the edge that brings its bytes to the stage. */
  private static Map<String, IREdge> lastEdges(IRDag dag, ShuffleSizes message) {
    Map<String, IREdge> last = new LinkedHashMap<>();
    for (IRVertex vertex : dag.vertices()) {
      if (vertex instanceof MetricCollectionVertex collection
          && collection.messageId().equals(message.messageId())) {
        List<IREdge> chain = RelayChain.from(dag, dag.edge(collection.measured()));
        last.put(collection.measured(), chain.get(chain.size() - 1));
      }
    }
    if (last.isEmpty()) {
      throw new IllegalArgumentException(
          "nothing in the graph collects message " + message.messageId());
    }
    return last;
  }

  private static ShuffleSizes.Shuffle sizes(ShuffleSizes message, String edgeId) {
    return message.shuffles().stream()
        .filter(shuffle -> shuffle.edges().contains(edgeId))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "message "
                        + message.messageId()
                        + " has sizes of the edges "
                        + message.shuffles().stream().map(ShuffleSizes.Shuffle::edges).toList()
                        + ", but none of edge "
                        + edgeId));
  }

  /** What a shuffle does not read any more, its alias into a recombiner reads. */
  private static void requirePartitions(IRDag dag, ShuffleSizes message, IREdge edge) {
    int partitions =
        Stream.concat(Stream.of(edge), ShuffleAliases.aliasOf(dag, edge).stream())
            .flatMap(reading -> reading.property(PartitionSet.class).stream())
            .mapToInt(PartitionSet::partitions)
            .max()
            .orElse(0);
    if (partitions != message.partitions()) {
      throw new IllegalArgumentException(
          "message "
              + message.messageId()
              + " has sizes of "
              + message.partitions()
              + " partitions, but edge "
              + edge.id()
              + " has "
              + partitions);
    }
  }

  private static boolean isByKey(IREdge edge) {
    return edge.pattern() == CommunicationPattern.SHUFFLE
        && edge.property(Order.class).orElse(Order.NONE) == Order.BY_KEY;
  }

  private static Optional<Recombiner> recombiner(IRDag dag, String consumer) {
    return ShuffleAliases.recombinersOf(dag, consumer).stream()
        .findFirst()
        .map(id -> new Recombiner(dag.vertex(id), dag.incoming(id), onlyOutput(dag, id)));
  }

  private static IREdge onlyOutput(IRDag dag, String recombiner) {
    return dag.outgoing(recombiner).stream()
        .filter(edge -> !(dag.vertex(edge.to()) instanceof SampledVertex))
        .findFirst()
        .orElseThrow();
  }

  /** Number of tasks now. */
  int tasks() {
    return tasks(vertices.get(0));
  }

  /** Number of tasks of a vertex now. */
  static int tasks(IRVertex vertex) {
    return vertex.property(Parallelism.class).orElseThrow().tasks();
  }

  /** The edges of the shuffles, as a person reads them. */
  String edges() {
    return shuffles.stream().map(shuffle -> shuffle.edge().id()).collect(Collectors.joining(", "));
  }
}
