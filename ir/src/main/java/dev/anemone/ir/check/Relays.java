// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.check;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.RelayVertex;
import java.util.List;

/**
 * Follows data through relays. A relay hands on what enters its input {@code x} at its output
 * {@code x}.
 */
final class Relays {

  private Relays() {}

  static boolean isRelay(IRDag dag, String vertexId) {
    return dag.vertex(vertexId) instanceof RelayVertex;
  }

  /** The edges on which a relay hands on what this edge brings; empty when it ends elsewhere. */
  static List<IREdge> next(IRDag dag, IREdge edge) {
    return isRelay(dag, edge.to())
        ? dag.outgoing(edge.to()).stream().filter(e -> e.output().equals(edge.input())).toList()
        : List.of();
  }

  /** The edges that bring what a relay hands on with this edge; empty when it starts elsewhere. */
  static List<IREdge> previous(IRDag dag, IREdge edge) {
    return isRelay(dag, edge.from())
        ? dag.incoming(edge.from()).stream().filter(e -> e.input().equals(edge.output())).toList()
        : List.of();
  }

  /** This edge, or those edges before it that bring its data to the first relay. */
  static List<IREdge> first(IRDag dag, IREdge edge) {
    return isRelay(dag, edge.from())
        ? previous(dag, edge).stream().flatMap(e -> first(dag, e).stream()).toList()
        : List.of(edge);
  }

  /** This edge, or those edges after it that bring its data from the last relay. */
  static List<IREdge> last(IRDag dag, IREdge edge) {
    return isRelay(dag, edge.to())
        ? next(dag, edge).stream().flatMap(e -> last(dag, e).stream()).toList()
        : List.of(edge);
  }
}
