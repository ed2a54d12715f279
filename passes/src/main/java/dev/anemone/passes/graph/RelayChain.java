// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.graph;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.RelayVertex;
import dev.anemone.ir.property.CommunicationPattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The edges over which the same bytes travel from where they are encoded to where they are decoded:
 * a relay hands on through an output what it receives through the input of that name.
 */
public final class RelayChain {

  private RelayChain() {}

  /** Whether a vertex is a relay; these are never sampled. */
  public static boolean isRelay(IRDag dag, String vertexId) {
    return dag.vertex(vertexId) instanceof RelayVertex;
  }

  /**
   * Whether a vertex is a relay that aggregates: it takes shuffles from vertices that are no
   * relays, and hands them on by shuffles.
   */
  public static boolean aggregates(IRDag dag, String vertexId) {
    return dag.vertex(vertexId) instanceof RelayVertex
        && dag.incoming(vertexId).stream().allMatch(RelayChain::isShuffle)
        && dag.incoming(vertexId).stream().noneMatch(edge -> startsAtRelay(dag, edge))
        && dag.outgoing(vertexId).stream().allMatch(RelayChain::isShuffle);
  }

  private static boolean isShuffle(IREdge edge) {
    return edge.pattern() == CommunicationPattern.SHUFFLE;
  }

  public static boolean startsAtRelay(IRDag dag, IREdge edge) {
    return isRelay(dag, edge.from());
  }

  public static boolean endsAtRelay(IRDag dag, IREdge edge) {
    return isRelay(dag, edge.to());
  }

  /** The edge whose producer encodes the bytes of this one. */
  public static IREdge first(IRDag dag, IREdge edge) {
    IREdge first = edge;
    Optional<IREdge> previous = previous(dag, edge);
    while (previous.isPresent()) {
      first = previous.get();
      previous = previous(dag, first);
    }
    return first;
  }

  private static Optional<IREdge> previous(IRDag dag, IREdge edge) {
    return startsAtRelay(dag, edge)
        ? dag.incoming(edge.from()).stream()
            .filter(in -> in.input().equals(edge.output()))
            .findFirst()
        : Optional.empty();
  }

  /** This edge and those on which relays hand on what it brings. */
  public static List<IREdge> from(IRDag dag, IREdge edge) {
    List<IREdge> chain = new ArrayList<>();
    Optional<IREdge> next = Optional.of(edge);
    while (next.isPresent()) {
      chain.add(next.get());
      next = next(dag, next.get());
    }
    return chain;
  }

  private static Optional<IREdge> next(IRDag dag, IREdge edge) {
    return endsAtRelay(dag, edge)
        ? dag.outgoing(edge.to()).stream()
            .filter(out -> out.output().equals(edge.input()))
            .findFirst()
        : Optional.empty();
  }
}
