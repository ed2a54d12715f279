// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.pushdown;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.function.OperatorTrait;
import dev.anemone.ir.property.CommunicationPattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The operators behind a source that can be cut into it. */
final class PushableOperators {

  private PushableOperators() {}

  /**
   * The operators that can be cut, one after the other: nobody reads what is between them, or
   * another output than the main one, which is all that a source has.
   */
  static List<OperatorVertex> of(IRDag dag, SourceVertex source) {
    List<OperatorVertex> pushable = new ArrayList<>();
    Optional<OperatorVertex> next = onlyReader(dag, source.id());
    while (next.isPresent()) {
      pushable.add(next.get());
      next = onlyReader(dag, next.get().id());
    }
    return pushable;
  }

  private static Optional<OperatorVertex> onlyReader(IRDag dag, String id) {
    List<IREdge> out = dag.outgoing(id);
    return out.size() == 1
            && out.get(0).pattern() == CommunicationPattern.ONE_TO_ONE
            && out.get(0).output().equals(IREdge.MAIN)
            && out.get(0).input().equals(IREdge.MAIN)
            && dag.incoming(out.get(0).to()).size() == 1
            && dag.vertex(out.get(0).to()) instanceof OperatorVertex operator
            && operator.traits().contains(OperatorTrait.PUSHABLE)
            && dag.outgoing(operator.id()).stream()
                .allMatch(edge -> edge.output().equals(IREdge.MAIN))
        ? Optional.of(operator)
        : Optional.empty();
  }
}
