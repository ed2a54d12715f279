// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.stage;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.RelayVertex;
import dev.anemone.ir.ShuffleAliases;
import dev.anemone.ir.property.CommunicationPattern;
import java.util.ArrayList;
import java.util.List;

/**
 * The ways that the records of a shuffle take: through aggregations, and to several consumers that
 * read what was written once.
 *
 * @param dag a graph without samplings
 */
record ShuffleRoutes(IRDag dag) {

  /** Whether an edge leads into a relay that joins the blocks of its producers. */
  boolean isIntoAggregation(IREdge edge) {
    return edge.pattern() == CommunicationPattern.SHUFFLE
        && dag.vertex(edge.to()) instanceof RelayVertex
        && dag.incoming(edge.to()).stream()
            .allMatch(in -> in.pattern() == CommunicationPattern.SHUFFLE);
  }

  /** Whether an edge brings a recombiner what is written for another edge. */
  boolean isAlias(IREdge edge) {
    return ShuffleAliases.isAlias(dag, edge);
  }

  /** The edge for which the records of an alias are written; else the edge itself. */
  IREdge original(IREdge edge) {
    return isAlias(edge)
        ? ShuffleAliases.original(dag, edge)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "edge "
                            + edge.id()
                            + " leads to recombiner "
                            + edge.to()
                            + ", but no other edge says for whom its records are written"))
        : edge;
  }

  /**
   * The edge whose consumer looks into the records of this one, and for which they are laid out:
   * behind the aggregations on their way.
   */
  IREdge layout(IREdge edge) {
    IREdge last = original(edge);
    while (isIntoAggregation(last)) {
      IREdge into = last;
      last =
          onward(into).stream()
              .filter(out -> !isAlias(out))
              .findFirst()
              .orElseThrow(
                  () -> new IllegalArgumentException("relay " + into.to() + " leads nowhere"));
    }
    return last;
  }

  /** The edges over which consumers read what an edge's producers write. */
  List<IREdge> readings(IREdge edge) {
    List<IREdge> readings = new ArrayList<>();
    for (IREdge same : dag.outgoing(edge.from())) {
      if (same.equals(edge) || (isAlias(same) && original(same).equals(edge))) {
        if (isIntoAggregation(same)) {
          onward(same).stream()
              .filter(out -> !isAlias(out))
              .forEach(out -> readings.addAll(readings(out)));
        } else {
          readings.add(same);
        }
      }
    }
    return readings;
  }

  private List<IREdge> onward(IREdge into) {
    return dag.outgoing(into.to()).stream()
        .filter(out -> out.output().equals(into.input()))
        .toList();
  }
}
