package dev.anemone.ir.check;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.Decoder;
import dev.anemone.ir.property.Encoder;
import dev.anemone.ir.property.HashRange;
import dev.anemone.ir.property.PartitionSet;
import dev.anemone.ir.property.Partitioner;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * A {@link PartitionSet} has one entry per consumer task, and its ranges cover all partitions once.
 * There are as many partitions as consumer tasks, times the multiplier of a {@link
 * Partitioner.Hash}. A relay that hands on raw bytes cannot partition them anew: an edge into it
 * has the partitions of the edge out of it.
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
      if (edge.pattern() == CommunicationPattern.SHUFFLE && set.isPresent()) {
        checkSize(dag, edge, set.get(), violations);
        checkCover(dag, edge, set.get(), violations);
      }
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

  private static void checkCover(IRDag dag, IREdge edge, PartitionSet set, Violations violations) {
    long next = 0;
    for (HashRange range : set.perTask().stream().flatMap(List::stream).sorted().toList()) {
      if (range.from() > next) {
        violations.add(edge, "has a PartitionSet that leaves out " + show(next, range.from()));
      } else if (range.from() < next) {
        violations.add(
            edge,
            "has a PartitionSet that covers "
                + show(range.from(), Math.min(next, range.to()))
                + " more than once");
      }
      next = Math.max(next, range.to());
    }
    OptionalLong partitions = partitions(dag, edge);
    if (partitions.isPresent() && next != partitions.getAsLong()) {
      violations.add(
          edge,
          "has a PartitionSet that ends at partition "
              + next
              + ", but there are "
              + partitions.getAsLong()
              + " partitions");
    }
  }

  private static String show(long from, long to) {
    return "partitions [" + from + ", " + to + ")";
  }

  /** Number of partitions that the producers make, if it is known. */
  private static OptionalLong partitions(IRDag dag, IREdge edge) {
    if (edge.property(Decoder.class).equals(Optional.of(new Decoder(Encoder.RAW_BYTES)))) {
      for (IREdge next : Relays.next(dag, edge)) {
        if (next.pattern() == CommunicationPattern.SHUFFLE) {
          return partitions(dag, next);
        }
      }
    }
    OptionalInt readers = TaskCounts.readers(dag, edge);
    Optional<Partitioner> partitioner = edge.property(Partitioner.class);
    if (readers.isEmpty() || partitioner.isEmpty()) {
      return OptionalLong.empty();
    }
    long multiplier =
        partitioner.get() instanceof Partitioner.Hash hash ? hash.keyRangeMultiplier() : 1;
    return OptionalLong.of(readers.getAsInt() * multiplier);
  }
}
