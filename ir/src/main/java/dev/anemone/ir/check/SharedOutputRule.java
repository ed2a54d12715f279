// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.check;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.ShuffleAliases;
import dev.anemone.ir.property.DataFlow;
import dev.anemone.ir.property.EdgeProperty;
import dev.anemone.ir.property.PartitionSet;
import dev.anemone.ir.property.SharedOutput;
import java.util.List;
import java.util.Optional;

/**
 * An edge with a {@link SharedOutput} could have been written for just as the edge that it names:
 * both bring the same output of the same producer, partitioned, sorted, encoded and stored alike.
 * Both pull, since what is pushed is gone from the producer.
 */
public final class SharedOutputRule implements CheckRule {

  @Override
  public String name() {
    return "shared-output";
  }

  @Override
  public List<Violation> check(IRDag dag) {
    Violations violations = new Violations(this);
    for (IREdge edge : dag.edges()) {
      Optional<SharedOutput> shared = edge.property(SharedOutput.class);
      if (shared.isPresent()) {
        problem(dag, edge, shared.get().edgeId())
            .ifPresent(
                problem ->
                    violations.add(
                        edge,
                        "shares the output of edge " + shared.get().edgeId() + ", " + problem));
      }
    }
    return violations.list();
  }

  private static Optional<String> problem(IRDag dag, IREdge edge, String original) {
    Optional<IREdge> found =
        dag.outgoing(edge.from()).stream().filter(other -> other.id().equals(original)).findFirst();
    if (found.isEmpty() || !found.get().output().equals(edge.output())) {
      return Optional.of("which does not bring the same output of the same producer");
    }
    IREdge other = found.get();
    if (other.equals(edge) || other.property(SharedOutput.class).isPresent()) {
      return Optional.of("for which nothing is written either");
    }
    if (ShuffleAliases.isAlias(dag, edge) || ShuffleAliases.isAlias(dag, other)) {
      return Optional.of("but one of the two is an alias into a recombiner");
    }
    if (pushes(edge) || pushes(other)) {
      return Optional.of("but one of the two is PUSH");
    }
    for (Class<? extends EdgeProperty> type : SharedOutput.ALIKE) {
      if (!edge.property(type).equals(other.property(type))) {
        return Optional.of("which has another " + type.getSimpleName());
      }
    }
    if (!partitions(edge).equals(partitions(other))) {
      return Optional.of("which has another number of partitions");
    }
    return Optional.empty();
  }

  private static boolean pushes(IREdge edge) {
    return edge.property(DataFlow.class).equals(Optional.of(DataFlow.PUSH));
  }

  private static Optional<Integer> partitions(IREdge edge) {
    return edge.property(PartitionSet.class).map(PartitionSet::partitions);
  }
}
