// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.rewrite;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.Divisibility;
import dev.anemone.ir.relational.exchange.Exchange;
import dev.anemone.ir.relational.exchange.ExchangeWrite;
import dev.anemone.ir.relational.exchange.PartitionedQuery;
import dev.anemone.ir.relational.exchange.Partitioning;
import dev.anemone.ir.relational.json.RelationalFunctions;
import dev.anemone.passes.graph.KnownSizes;
import dev.anemone.passes.graph.OneToOneGroups;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * A query that runs on partitions, and the sides that are shuffled for it by their keys.
 *
 * @param vertex what runs it
 * @param query on partitions
 * @param sides two at least
 */
record JoinedSides(OperatorVertex vertex, PartitionedQuery query, List<Side> sides) {

  private static final double MEGA = 1e6;

  JoinedSides {
    sides = List.copyOf(sides);
  }

  /**
   * What comes over one exchange.
   *
   * @param exchange its name
   * @param edges from the vertices that send over it
   * @param bytes of all rows at most; empty where nobody knows
   */
  record Side(String exchange, List<IREdge> edges, OptionalLong bytes) {

    Side {
      edges = List.copyOf(edges);
    }

    /** The side and its size, for people. */
    String text() {
      return exchange + " (" + (bytes.isEmpty() ? "of unknown size" : mb(bytes.getAsLong())) + ")";
    }
  }

  /** Bytes for people. */
  static String mb(long bytes) {
    return String.format(Locale.ROOT, "%.1f MB", bytes / MEGA);
  }

  /** Sides for people. */
  static String text(List<Side> sides) {
    return sides.stream().map(Side::text).collect(Collectors.joining(" and "));
  }

  /**
   * The sides of what a vertex runs; empty where that is no query on partitions, fewer than two
   * exchanges are shuffled by keys for it, or it reads what is no exchange.
   */
  static Optional<JoinedSides> of(IRDag dag, IRVertex vertex, KnownSizes sizes) {
    if (!(vertex instanceof OperatorVertex operator)
        || !operator.operator().urn().equals(RelationalFunctions.PARTITIONS_URN)) {
      return Optional.empty();
    }
    PartitionedQuery query = RelationalFunctions.partitionedOf(operator.operator()).orElseThrow();
    Map<String, List<IREdge>> edges = new LinkedHashMap<>();
    Map<String, Exchange> exchanges = new LinkedHashMap<>();
    for (IREdge edge : dag.incoming(vertex.id())) {
      Optional<Exchange> exchange = exchange(dag, edge);
      if (exchange.isEmpty()) {
        return Optional.empty();
      }
      exchanges.put(exchange.get().name(), exchange.get());
      edges.computeIfAbsent(exchange.get().name(), name -> new ArrayList<>()).add(edge);
    }
    List<Side> sides = new ArrayList<>();
    for (Exchange exchange : exchanges.values()) {
      if (exchange.partitioning() instanceof Partitioning.Hash) {
        List<IREdge> from = edges.get(exchange.name());
        sides.add(new Side(exchange.name(), from, bytes(exchange, from, sizes)));
      } else if (!query.replicated().contains(exchange.name())) {
        return Optional.empty();
      }
    }
    return sides.size() < 2
        ? Optional.empty()
        : Optional.of(new JoinedSides(operator, query, sides));
  }

  /**
   * The shuffles that bring the sides that may be divided in any way: the query gives the same on
   * any pieces of such a side with all rows of the others beside them ({@link
   * PartitionedQuery#onPieces}), one vertex makes it, in tasks that make no other side, and nobody
   * has decided it before.
   */
  List<IREdge> divisible(IRDag dag) {
    OneToOneGroups groups = OneToOneGroups.of(dag);
    List<IREdge> divisible = new ArrayList<>();
    for (Side side : sides) {
      IREdge edge = side.edges().get(0);
      List<IRVertex> makers = groups.of(dag.vertex(edge.from()));
      boolean apart =
          dag.incoming(vertex.id()).stream()
              .filter(other -> !other.equals(edge))
              .noneMatch(other -> makers.contains(dag.vertex(other.from())));
      if (apart
          && side.edges().size() == 1
          && query.onPieces(side.exchange()).isPresent()
          && edge.property(Divisibility.class).isEmpty()) {
        divisible.add(edge);
      }
    }
    return divisible;
  }

  private static Optional<Exchange> exchange(IRDag dag, IREdge edge) {
    return edge.pattern() == CommunicationPattern.SHUFFLE
            && dag.vertex(edge.from()) instanceof OperatorVertex producer
        ? RelationalFunctions.exchangeOf(producer.operator()).map(ExchangeWrite::exchange)
        : Optional.empty();
  }

  /** What is estimated of an exchange is of all that send over it. */
  private static OptionalLong bytes(Exchange exchange, List<IREdge> edges, KnownSizes sizes) {
    if (exchange.bytes().isPresent()) {
      return exchange.bytes();
    }
    long sum = 0;
    for (IREdge edge : edges) {
      OptionalLong bytes = sizes.output(edge.from());
      if (bytes.isEmpty()) {
        return bytes;
      }
      long more = sum + bytes.getAsLong();
      sum = more < 0 ? Long.MAX_VALUE : more;
    }
    return OptionalLong.of(sum);
  }
}
