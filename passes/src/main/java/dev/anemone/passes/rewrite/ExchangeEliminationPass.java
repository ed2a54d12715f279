// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.rewrite;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.edit.EliminateExchange;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.Parallelism;
import dev.anemone.ir.relational.json.RelationalFunctions;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.PassOption;
import dev.anemone.passes.ReshapingPass;
import dev.anemone.passes.defaults.ParallelismPass;
import dev.anemone.passes.graph.RelayChain;
import dev.anemone.passes.graph.Samplings;
import java.util.List;
import java.util.Set;

/**
 * Keeps rows in a task where a shuffle would only bring them to the one task that there is: in
 * columns, a query whose stages have one task each becomes one stage, as an embedded database runs
 * it.
 *
 * <pre>
 * before:  orders --SHUFFLE--> join (query on each partition) --SHUFFLE--> sum (on each partition)
 *          lines  --SHUFFLE--> join
 *
 * after:   orders --ONE_TO_ONE--> join (query once) --ONE_TO_ONE--> sum (once)
 *          lines  --ONE_TO_ONE--> join
 * </pre>
 *
 * <p>It applies to relational queries on partitions of an exchange, which give the same for all
 * partitions together, if they and all that they read have one task by their size. Exchange
 * placement as in Volcano (Graefe, 1990): an operator that is not parallel needs none.
 *
 * <p>Left alone is what is sampled, measured or handed on by a relay. It comes after the
 * parallelism, which it reads and does not change, and before what decides of shuffles.
 */
public final class ExchangeEliminationPass implements ReshapingPass {

  public static final PassOption<Boolean> KEEP_EXCHANGES =
      PassOption.flag(
          "keepExchanges",
          "whether columns are shuffled also between stages that have one task each");

  @Override
  public Set<String> requires() {
    return Set.of(ParallelismPass.class.getName());
  }

  @Override
  public Set<PassOption<?>> options() {
    return Set.of(KEEP_EXCHANGES);
  }

  @Override
  public IRDag apply(IRDag dag, PassContext context) {
    if (context.get(KEEP_EXCHANGES)) {
      return dag;
    }
    Samplings samplings = Samplings.of(dag);
    IRDag result = dag;
    for (IRVertex vertex : dag.vertices()) {
      List<IREdge> edges = dag.incoming(vertex.id());
      if (isOnPartitions(vertex)
          && hasOneTask(vertex)
          && !samplings.sample(vertex.id())
          && edges.stream().allMatch(edge -> canStay(dag, edge) && !samplings.measure(edge.id()))) {
        result = result.apply(new EliminateExchange(vertex.id()));
      }
    }
    return result;
  }

  private static boolean isOnPartitions(IRVertex vertex) {
    return vertex instanceof OperatorVertex operator
        && operator.operator().urn().equals(RelationalFunctions.PARTITIONS_URN);
  }

  private static boolean canStay(IRDag dag, IREdge edge) {
    return edge.pattern() == CommunicationPattern.SHUFFLE
        && hasOneTask(dag.vertex(edge.from()))
        && !RelayChain.startsAtRelay(dag, edge);
  }

  private static boolean hasOneTask(IRVertex vertex) {
    return vertex
        .property(Parallelism.class)
        .filter(parallelism -> parallelism.tasks() == 1)
        .isPresent();
  }
}
