// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.check;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.RelayVertex;
import dev.anemone.ir.ShuffleAliases;
import dev.anemone.ir.partition.HashRange;
import dev.anemone.ir.partition.PartitionDivision;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.Divisibility;
import dev.anemone.ir.property.Order;
import dev.anemone.ir.property.PartitionSet;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Equal keys meet: of the shuffles by key into one input, every partition is read by the same tasks
 * over each shuffle that reads it at all. (A shuffle does not read what its alias into a recombiner
 * reads.)
 *
 * <p>A partition that several tasks read is divided over one shuffle, which must be {@link
 * Divisibility#DIVISIBLE}, and replicated over all others. Into a recombiner it is divided over
 * every shuffle, since accumulators may be combined in any groups, but none twice.
 */
public final class SharedRangesRule implements CheckRule {

  @Override
  public String name() {
    return "shared-ranges";
  }

  @Override
  public List<Violation> check(IRDag dag) {
    Violations violations = new Violations(this);
    for (IRVertex vertex : dag.vertices()) {
      if (!(vertex instanceof RelayVertex)) {
        for (List<IREdge> edges : byInput(dag, vertex).values()) {
          checkReaders(edges, violations);
          checkDivisions(dag, vertex, edges, violations);
        }
      }
    }
    return violations.list();
  }

  /** The shuffles by key into each input of a vertex, as far as their partitions are decided. */
  private static Map<String, List<IREdge>> byInput(IRDag dag, IRVertex vertex) {
    Map<String, List<IREdge>> byInput = new LinkedHashMap<>();
    for (IREdge edge : dag.incoming(vertex.id())) {
      if (edge.pattern() == CommunicationPattern.SHUFFLE
          && edge.property(Order.class).equals(Optional.of(Order.BY_KEY))
          && edge.property(PartitionSet.class).isPresent()) {
        byInput.computeIfAbsent(edge.input(), k -> new ArrayList<>()).add(edge);
      }
    }
    return byInput;
  }

  private static void checkReaders(List<IREdge> edges, Violations violations) {
    for (int i = 1; i < edges.size(); i++) {
      for (int j = 0; j < i; j++) {
        Optional<Integer> partition =
            PartitionReaders.firstDifference(
                edges.get(i).property(PartitionSet.class).orElseThrow(),
                edges.get(j).property(PartitionSet.class).orElseThrow());
        if (partition.isPresent()) {
          violations.add(
              edges.get(i),
              "brings partition "
                  + partition.get()
                  + " to other tasks than edge "
                  + edges.get(j).id()
                  + " into the same input, where equal keys must meet");
          break;
        }
      }
    }
  }

  private static void checkDivisions(
      IRDag dag, IRVertex vertex, List<IREdge> edges, Violations violations) {
    boolean recombines = ShuffleAliases.isRecombiner(dag, vertex.id());
    Map<HashRange, List<IREdge>> dividing = new TreeMap<>();
    for (IREdge edge : edges) {
      for (PartitionDivision division :
          edge.property(PartitionSet.class).orElseThrow().divisions()) {
        List<IREdge> own = dividing.computeIfAbsent(division.range(), k -> new ArrayList<>());
        if (!division.replicated()) {
          own.add(edge);
        }
        checkDivision(edge, division, recombines, violations);
      }
    }
    if (!recombines) {
      checkApart(vertex, List.copyOf(dividing.keySet()), violations);
      dividing.forEach(
          (range, own) -> {
            if (own.size() != 1) {
              violations.add(
                  vertex,
                  "has "
                      + range.text()
                      + " divided over the edges "
                      + own.stream().map(IREdge::id).toList()
                      + "; of those into one input, exactly one may divide a partition, and the"
                      + " others replicate it");
            }
          });
    }
  }

  /** What one shuffle divides together, another one must not divide in parts. */
  private static void checkApart(IRVertex vertex, List<HashRange> ranges, Violations violations) {
    for (int i = 1; i < ranges.size(); i++) {
      if (ranges.get(i).from() < ranges.get(i - 1).to()) {
        violations.add(
            vertex,
            "has "
                + ranges.get(i).text()
                + " divided over one shuffle, and "
                + ranges.get(i - 1).text()
                + " over another one into the same input; both must divide the same ranges");
      }
    }
  }

  private static void checkDivision(
      IREdge edge, PartitionDivision division, boolean recombines, Violations violations) {
    if (recombines && division.replicated()) {
      violations.add(
          edge,
          "replicates "
              + division.range().text()
              + " to tasks of a recombiner, so that its accumulators would count several times");
    }
    if (!recombines
        && !division.replicated()
        && edge.property(Divisibility.class).orElse(Divisibility.WHOLE) == Divisibility.WHOLE) {
      violations.add(
          edge,
          "divides "
              + division.range().text()
              + ", but is not DIVISIBLE: all elements of a key must come together");
    }
  }
}
