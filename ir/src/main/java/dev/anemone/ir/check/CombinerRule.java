// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.check;

import dev.anemone.ir.CombinerVertex;
import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.MetricCollectionVertex;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.SampledVertex;
import dev.anemone.ir.ShuffleAliases;
import dev.anemone.ir.property.CommunicationPattern;
import java.util.List;

/**
 * Accumulators go from combiners to merging vertices and nowhere else, except through recombiners
 * (see {@link RecombinerRule}): a combiner feeds shuffles into the main input of a merging vertex
 * or a recombiner, a recombiner into that of a merging vertex, and a merging vertex's main input is
 * fed by these only. Relays in between do not count, a merging vertex's clone is one too, and
 * accumulators may be measured.
 */
public final class CombinerRule implements CheckRule {

  @Override
  public String name() {
    return "combiner";
  }

  @Override
  public List<Violation> check(IRDag dag) {
    Violations violations = new Violations(this);
    for (IRVertex vertex : dag.vertices()) {
      if (vertex instanceof CombinerVertex) {
        checkCombiner(dag, vertex, violations);
      } else if (isMerging(dag, vertex)) {
        checkMerging(dag, vertex, violations);
      }
    }
    return violations.list();
  }

  private static void checkCombiner(IRDag dag, IRVertex combiner, Violations violations) {
    for (IREdge edge : dag.outgoing(combiner.id())) {
      if (edge.pattern() != CommunicationPattern.SHUFFLE) {
        violations.add(
            edge, "leaves a combiner, but is " + edge.pattern() + "; a combiner feeds shuffles");
      }
      for (IREdge last : Relays.last(dag, edge)) {
        IRVertex end = dag.vertex(last.to());
        boolean recombined =
            ShuffleAliases.isRecombiner(dag, end.id())
                && !ShuffleAliases.isRecombiner(dag, combiner.id());
        boolean taken = (isMerging(dag, end) || recombined) && last.input().equals(IREdge.MAIN);
        if (!taken && !(end instanceof MetricCollectionVertex)) {
          violations.add(
              last,
              "brings accumulators of "
                  + combiner.id()
                  + " to input "
                  + last.input()
                  + " of "
                  + last.to()
                  + ", which does not merge them");
        }
      }
    }
  }

  private static void checkMerging(IRDag dag, IRVertex merging, Violations violations) {
    for (IREdge edge : dag.incoming(merging.id())) {
      if (!edge.input().equals(IREdge.MAIN)) {
        continue;
      }
      for (IREdge first : Relays.first(dag, edge)) {
        if (!(dag.vertex(first.from()) instanceof CombinerVertex)) {
          violations.add(
              first,
              "brings values of "
                  + first.from()
                  + " to "
                  + merging.id()
                  + ", which merges accumulators; a combiner is missing");
        }
      }
    }
  }

  private static boolean isMerging(IRDag dag, IRVertex vertex) {
    if (vertex instanceof SampledVertex clone && dag.hasVertex(clone.original())) {
      return isMerging(dag, dag.vertex(clone.original()));
    }
    return vertex instanceof OperatorVertex operator && operator.isMerging();
  }
}
