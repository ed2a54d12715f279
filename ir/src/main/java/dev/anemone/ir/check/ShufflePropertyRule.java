// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.check;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.MetricCollectionVertex;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.EdgeProperty;
import dev.anemone.ir.property.KeyEncoder;
import dev.anemone.ir.property.KeyExtractor;
import dev.anemone.ir.property.Order;
import dev.anemone.ir.property.PartitionSet;
import dev.anemone.ir.property.Partitioner;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A shuffle by key has a {@link KeyExtractor} and a {@link KeyEncoder} and partitions by hash; an
 * edge that is no shuffle has nothing that only a shuffle needs. As the one exception, the edge
 * into a {@link MetricCollectionVertex} may say what the key is that it measures by.
 */
public final class ShufflePropertyRule implements CheckRule {

  @Override
  public String name() {
    return "shuffle-property";
  }

  @Override
  public List<Violation> check(IRDag dag) {
    Violations violations = new Violations(this);
    for (IREdge edge : dag.edges()) {
      if (edge.pattern() == CommunicationPattern.SHUFFLE) {
        checkShuffle(edge, violations);
      } else {
        checkOther(dag, edge, violations);
      }
    }
    return violations.list();
  }

  private static void checkShuffle(IREdge edge, Violations violations) {
    Optional<Partitioner> partitioner = edge.property(Partitioner.class);
    boolean byHash = partitioner.isPresent() && partitioner.get() instanceof Partitioner.Hash;
    boolean byKey = edge.property(Order.class).equals(Optional.of(Order.BY_KEY));
    if (byKey && partitioner.isPresent() && !byHash) {
      violations.add(
          edge,
          "is ordered BY_KEY, but partitions by "
              + partitioner.get().getClass().getSimpleName()
              + ": equal keys meet only in a Hash partition");
    }
    if (byKey || byHash) {
      String why = byKey ? "is ordered BY_KEY" : "partitions by Hash";
      if (edge.property(KeyExtractor.class).isEmpty()) {
        violations.add(edge, why + ", but has no KeyExtractor");
      }
      if (edge.property(KeyEncoder.class).isEmpty()) {
        violations.add(edge, why + ", but has no KeyEncoder");
      }
    }
  }

  private static void checkOther(IRDag dag, IREdge edge, Violations violations) {
    List<Class<? extends EdgeProperty>> banned =
        new ArrayList<>(List.of(Partitioner.class, PartitionSet.class, Order.class));
    if (!(dag.vertex(edge.to()) instanceof MetricCollectionVertex)) {
      banned.add(KeyExtractor.class);
      banned.add(KeyEncoder.class);
    }
    for (Class<? extends EdgeProperty> type : banned) {
      if (edge.property(type).isPresent()) {
        violations.add(
            edge,
            "is "
                + edge.pattern()
                + ", but has a "
                + type.getSimpleName()
                + ", which only a SHUFFLE has");
      }
    }
  }
}
