// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir;

import dev.anemone.ir.property.CommunicationPattern;
import java.util.List;
import java.util.Optional;

/**
 * Finds recombiners, and the shuffles that bring them what was written for another shuffle. See
 * {@link dev.anemone.ir.edit.InsertRecombiner}.
 *
 * <pre>
 * P --s SHUFFLE--> C
 * P --s-divided SHUFFLE--> R --C-recombined SHUFFLE--> C      (s-divided is the alias of s)
 * </pre>
 *
 * <p>Producers write an output once; which of its partitions go over the shuffle and which over the
 * alias is up to the {@link dev.anemone.ir.property.PartitionSet}s of both.
 */
public final class ShuffleAliases {

  private ShuffleAliases() {}

  /** Whether a vertex combines accumulators that were shuffled already. */
  public static boolean isRecombiner(IRDag dag, String vertexId) {
    return dag.vertex(vertexId) instanceof CombinerVertex
        && dag.incoming(vertexId).stream()
            .anyMatch(edge -> edge.pattern() == CommunicationPattern.SHUFFLE);
  }

  /** Whether an edge brings a recombiner what was written for another shuffle. */
  public static boolean isAlias(IRDag dag, IREdge edge) {
    return edge.pattern() == CommunicationPattern.SHUFFLE
        && dag.vertex(edge.to()) instanceof CombinerVertex;
  }

  /**
   * The shuffle for which the data of an alias is written; empty when there is none. Where the
   * consumer is sampled, it is the shuffle into the consumer itself and not into its clone.
   */
  public static Optional<IREdge> original(IRDag dag, IREdge alias) {
    return isAlias(dag, alias)
        ? dag.outgoing(alias.from()).stream()
            .filter(edge -> isOriginal(dag, edge, alias))
            .filter(edge -> !(dag.vertex(edge.to()) instanceof SampledVertex))
            .findFirst()
        : Optional.empty();
  }

  /** The alias of a shuffle, if it has one. */
  public static Optional<IREdge> aliasOf(IRDag dag, IREdge shuffle) {
    return dag.outgoing(shuffle.from()).stream()
        .filter(edge -> isAlias(dag, edge) && isOriginal(dag, shuffle, edge))
        .findFirst();
  }

  /** The recombiners that read some partitions of the shuffles into a vertex's main input. */
  public static List<String> recombinersOf(IRDag dag, String vertexId) {
    return dag.incoming(vertexId).stream()
        .filter(edge -> edge.input().equals(IREdge.MAIN))
        .map(IREdge::from)
        .filter(from -> isRecombiner(dag, from))
        .distinct()
        .toList();
  }

  private static boolean isOriginal(IRDag dag, IREdge shuffle, IREdge alias) {
    return shuffle.pattern() == CommunicationPattern.SHUFFLE
        && !shuffle.equals(alias)
        && shuffle.from().equals(alias.from())
        && shuffle.output().equals(alias.output())
        && dag.outgoing(alias.to()).stream()
            .anyMatch(
                onward ->
                    onward.to().equals(shuffle.to()) && onward.input().equals(shuffle.input()));
  }
}
