// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.rewrite;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.MetricCollectionVertex;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.SampledVertex;
import dev.anemone.ir.edit.InsertCombiner;
import dev.anemone.ir.function.CombineSplit;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.ReshapingPass;
import dev.anemone.passes.graph.RelayChain;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Lets each producer task combine what it sends to an aggregation, so that one accumulator per key
 * and task is shuffled instead of every value. Known from MapReduce (Dean and Ghemawat, 2004).
 *
 * <pre>
 * before:  words --SHUFFLE--> count (whole)
 * after:   words --ONE_TO_ONE--> count-combiner-0 (partial) --SHUFFLE--> count (merging)
 * </pre>
 *
 * <p>It applies to every operator whose function can be split, if all of its main input is shuffled
 * and none of that is measured by a sampling, which measures what the producers send. It should run
 * before the passes that annotate, so that they cover what it inserts.
 */
public final class CombinerLiftingPass implements ReshapingPass {

  @Override
  public IRDag apply(IRDag dag, PassContext context) {
    Set<String> sampled =
        dag.vertices().stream()
            .filter(SampledVertex.class::isInstance)
            .map(vertex -> ((SampledVertex) vertex).original())
            .collect(Collectors.toSet());
    Set<String> measured =
        dag.vertices().stream()
            .filter(MetricCollectionVertex.class::isInstance)
            .map(vertex -> ((MetricCollectionVertex) vertex).measured())
            .collect(Collectors.toSet());
    IRDag result = dag;
    for (IRVertex vertex : dag.vertices()) {
      if (vertex instanceof OperatorVertex operator
          && runsWhole(operator)
          && allShuffled(dag, operator)
          && !sampled.contains(operator.id())
          && dag.incoming(operator.id()).stream().noneMatch(e -> measured.contains(e.id()))) {
        result = result.apply(new InsertCombiner(operator.id(), name()));
      }
    }
    return result;
  }

  private static boolean runsWhole(OperatorVertex operator) {
    return !operator.isMerging()
        && operator
            .combine()
            .map(CombineSplit::whole)
            .filter(operator.operator()::equals)
            .isPresent();
  }

  private static boolean allShuffled(IRDag dag, OperatorVertex operator) {
    List<IREdge> main =
        dag.incoming(operator.id()).stream()
            .filter(edge -> edge.input().equals(IREdge.MAIN))
            .toList();
    return !main.isEmpty()
        && main.stream().allMatch(edge -> edge.pattern() == CommunicationPattern.SHUFFLE)
        && main.stream().noneMatch(edge -> RelayChain.startsAtRelay(dag, edge));
  }
}
