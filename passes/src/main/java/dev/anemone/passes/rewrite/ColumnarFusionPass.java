// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.rewrite;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.SampledVertex;
import dev.anemone.ir.edit.FuseQueries;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.relational.exchange.ExchangeWrite;
import dev.anemone.ir.relational.exchange.PartitionedQuery;
import dev.anemone.ir.relational.json.RelationalFunctions;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.PassOption;
import dev.anemone.passes.ReshapingPass;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Makes one query of those that run one after the other in one task: the engine sees all of it, and
 * no batch is written between them.
 *
 * <pre>
 * before:  orders --> x0 --> join (query once) --> x2 --> sum (query once) --> rows
 *          lines  --> x1 --> join
 *
 * after:   orders --> x0 --> sum (query once: sum {join {x0; x1}}) --> rows
 *          lines  --> x1 --> sum
 * </pre>
 *
 * <p>These are what {@link ExchangeEliminationPass} leaves, after which it comes. Operator fusion
 * as in Volcano (Graefe, 1990), where operators without an exchange between them are one process.
 */
public final class ColumnarFusionPass implements ReshapingPass {

  public static final PassOption<Boolean> KEEP_QUERIES =
      PassOption.flag(
          "keepQueries",
          "whether queries in columns that run one after the other in one task stay apart");

  @Override
  public Set<String> requires() {
    return Set.of(ExchangeEliminationPass.class.getName());
  }

  @Override
  public Set<PassOption<?>> options() {
    return Set.of(KEEP_QUERIES);
  }

  @Override
  public IRDag apply(IRDag dag, PassContext context) {
    if (context.get(KEEP_QUERIES)) {
      return dag;
    }
    Set<String> sampled =
        dag.vertices().stream()
            .filter(SampledVertex.class::isInstance)
            .map(vertex -> ((SampledVertex) vertex).original())
            .collect(Collectors.toSet());
    IRDag result = dag;
    for (IRVertex vertex : dag.vertices()) {
      if (canFuse(result, vertex, sampled)) {
        result = result.apply(new FuseQueries(vertex.id()));
      }
    }
    return result;
  }

  private static boolean canFuse(IRDag dag, IRVertex vertex, Set<String> sampled) {
    Optional<String> exchange = exchange(vertex);
    Optional<IREdge> in = only(dag.incoming(vertex.id()));
    Optional<IREdge> out = only(dag.outgoing(vertex.id()));
    if (exchange.isEmpty() || in.isEmpty() || out.isEmpty()) {
      return false;
    }
    IRVertex producer = dag.vertex(in.get().from());
    IRVertex consumer = dag.vertex(out.get().to());
    Optional<PartitionedQuery> below = once(producer);
    Optional<PartitionedQuery> above = once(consumer);
    long ways =
        dag.incoming(consumer.id()).stream()
            .filter(edge -> exchange(dag.vertex(edge.from())).equals(exchange))
            .count();
    return below.isPresent()
        && above.isPresent()
        && ways == 1
        && only(dag.outgoing(producer.id())).isPresent()
        && List.of(producer, vertex, consumer).stream()
            .noneMatch(each -> sampled.contains(each.id()) || waits(dag, each))
        && above.get().over(exchange.get(), below.get()).isPresent();
  }

  private static Optional<String> exchange(IRVertex vertex) {
    return vertex instanceof OperatorVertex operator
        ? RelationalFunctions.exchangeOf(operator.operator())
            .map(ExchangeWrite::exchange)
            .map(to -> to.name())
        : Optional.empty();
  }

  private static Optional<IREdge> only(List<IREdge> edges) {
    return edges.size() == 1 && edges.get(0).pattern() == CommunicationPattern.ONE_TO_ONE
        ? Optional.of(edges.get(0))
        : Optional.empty();
  }

  private static Optional<PartitionedQuery> once(IRVertex vertex) {
    return vertex instanceof OperatorVertex operator
            && operator.operator().urn().equals(RelationalFunctions.TOGETHER_URN)
        ? RelationalFunctions.partitionedOf(operator.operator())
        : Optional.empty();
  }

  private static boolean waits(IRDag dag, IRVertex vertex) {
    return dag.controlDependencies().stream().anyMatch(each -> each.to().equals(vertex.id()));
  }
}
