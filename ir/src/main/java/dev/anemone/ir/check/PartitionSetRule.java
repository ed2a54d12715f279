// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.check;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.RelayVertex;
import dev.anemone.ir.ShuffleAliases;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.Decoder;
import dev.anemone.ir.property.Encoder;
import dev.anemone.ir.property.Order;
import dev.anemone.ir.property.PartitionSet;
import dev.anemone.ir.property.Partitioner;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * A {@link PartitionSet} has one entry per consumer task, and its ranges cover all partitions once,
 * those that are divided once for each task that reads them. What a shuffle does not read, its
 * alias into a recombiner reads.
 *
 * <p>The number of partitions is a multiple of that of a {@link Partitioner.Hash}, and there is at
 * least one for each consumer task: as many as tasks times the multiplier when the set is made, and
 * so they remain when a run-time pass takes tasks away. All shuffles into one vertex that are
 * ordered by key have the same number. A relay that hands on raw bytes cannot partition them anew,
 * so an edge into it has the number of the edge out of it.
 */
public final class PartitionSetRule implements CheckRule {

  @Override
  public String name() {
    return "partition-set";
  }

  @Override
  public List<Violation> check(IRDag dag) {
    Violations violations = new Violations(this);
    for (IREdge edge : dag.edges()) {
      Optional<PartitionSet> set = edge.property(PartitionSet.class);
      if (edge.pattern() != CommunicationPattern.SHUFFLE || set.isEmpty()) {
        continue;
      }
      checkSize(dag, edge, set.get(), violations);
      if (Relays.isRelay(dag, edge.to()) && !set.get().divisions().isEmpty()) {
        violations.add(
            edge,
            "has a PartitionSet that divides partitions, but leads to a relay, which must read each"
                + " once");
      }
      if (!ShuffleAliases.isAlias(dag, edge)) {
        checkCover(dag, edge, violations);
        checkPartitions(dag, edge, violations);
      } else if (ShuffleAliases.original(dag, edge).isEmpty()) {
        violations.add(edge, "reads some partitions of a shuffle that is not there");
      }
    }
    for (IRVertex vertex : dag.vertices()) {
      checkSameNumber(dag, vertex, violations);
    }
    return violations.list();
  }

  private static void checkSize(IRDag dag, IREdge edge, PartitionSet set, Violations violations) {
    OptionalInt readers = TaskCounts.readers(dag, edge);
    if (readers.isPresent() && readers.getAsInt() != set.perTask().size()) {
      violations.add(
          edge,
          "has a PartitionSet for "
              + set.perTask().size()
              + " consumer tasks, but there are "
              + readers.getAsInt());
    }
  }

  private static void checkCover(IRDag dag, IREdge edge, Violations violations) {
    PartitionCover cover = new PartitionCover();
    for (IREdge reading : readings(dag, edge)) {
      reading
          .property(PartitionSet.class)
          .ifPresent(set -> cover.add(set, problem -> violations.add(reading, problem)));
    }
    cover.check(problem -> violations.add(edge, problem));
  }

  /** The edges over which the consumer gets what is written for a shuffle. */
  private static List<IREdge> readings(IRDag dag, IREdge edge) {
    return ShuffleAliases.aliasOf(dag, edge)
        .map(alias -> List.of(edge, alias))
        .orElse(List.of(edge));
  }

  /** Number of partitions that the sets of a shuffle and its alias are for; 0 without sets. */
  private static int partitions(IRDag dag, IREdge edge) {
    return readings(dag, edge).stream()
        .flatMap(reading -> reading.property(PartitionSet.class).stream())
        .mapToInt(PartitionSet::partitions)
        .max()
        .orElse(0);
  }

  private static void checkPartitions(IRDag dag, IREdge edge, Violations violations) {
    int partitions = partitions(dag, edge);
    IREdge last = lastShuffle(dag, edge);
    if (!last.equals(edge) && last.property(PartitionSet.class).isPresent()) {
      int expected = partitions(dag, last);
      if (partitions != expected) {
        violations.add(
            edge,
            ends(partitions)
                + ", but edge "
                + last.id()
                + ", which brings the same bytes on, has "
                + expected
                + " partitions");
      }
      return;
    }
    OptionalInt readers = TaskCounts.readers(dag, last);
    if (readers.isPresent() && partitions < readers.getAsInt()) {
      violations.add(
          edge,
          ends(partitions)
              + ", but there must be at least one for each of "
              + readers.getAsInt()
              + " consumer tasks");
    }
    if (last.property(Partitioner.class).orElse(null) instanceof Partitioner.Hash hash
        && partitions % hash.keyRangeMultiplier() != 0) {
      violations.add(
          edge,
          ends(partitions)
              + ", but the number of partitions must be a multiple of "
              + hash.keyRangeMultiplier());
    }
  }

  private static String ends(int partitions) {
    return "has a PartitionSet that ends at partition " + partitions;
  }

  /** The shuffle, after this one, whose consumer looks into the bytes. */
  private static IREdge lastShuffle(IRDag dag, IREdge edge) {
    if (edge.property(Decoder.class).equals(Optional.of(new Decoder(Encoder.RAW_BYTES)))) {
      for (IREdge next : Relays.next(dag, edge)) {
        if (next.pattern() == CommunicationPattern.SHUFFLE && !ShuffleAliases.isAlias(dag, next)) {
          return lastShuffle(dag, next);
        }
      }
    }
    return edge;
  }

  private static void checkSameNumber(IRDag dag, IRVertex vertex, Violations violations) {
    if (vertex instanceof RelayVertex) {
      return; // keeps its edges apart
    }
    Set<Integer> numbers = new HashSet<>();
    List<IREdge> byKey =
        dag.incoming(vertex.id()).stream()
            .filter(edge -> edge.pattern() == CommunicationPattern.SHUFFLE)
            .filter(edge -> edge.property(Order.class).equals(Optional.of(Order.BY_KEY)))
            .filter(edge -> edge.property(PartitionSet.class).isPresent())
            .toList();
    for (IREdge edge : byKey) {
      numbers.add(partitionsOfOriginal(dag, edge));
    }
    if (numbers.size() > 1) {
      violations.add(
          vertex,
          "is the consumer of shuffles by key "
              + byKey.stream().map(IREdge::id).toList()
              + " with different numbers of partitions "
              + byKey.stream().map(edge -> partitionsOfOriginal(dag, edge)).toList());
    }
  }

  private static int partitionsOfOriginal(IRDag dag, IREdge edge) {
    return partitions(dag, ShuffleAliases.original(dag, edge).orElse(edge));
  }
}
