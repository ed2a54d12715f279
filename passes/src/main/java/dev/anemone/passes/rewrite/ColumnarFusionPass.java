// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.rewrite;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.edit.FuseQueries;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.KeyFilters;
import dev.anemone.ir.relational.exchange.ExchangeWrite;
import dev.anemone.ir.relational.json.RelationalFunctions;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.PassOption;
import dev.anemone.passes.ReshapingPass;
import dev.anemone.passes.graph.Samplings;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Makes one query of those that run one after the other in the same task, once or on pieces: the
 * engine sees all of it, and no batch is written between them.
 *
 * <pre>
 * before:  orders --> x0 --> join (query once) --> x2 --> sum (query once) --> rows
 *          lines  --> x1 --> join
 *
 * after:   orders --> x0 --> sum (query once: sum {join {x0; x1}}) --> rows
 *          lines  --> x1 --> sum
 * </pre>
 *
 * <p>These are what {@link ExchangeEliminationPass} and {@link BuildSidePass} leave, after which it
 * comes. Operator fusion as in Volcano (Graefe, 1990), where operators without an exchange between
 * them are one process.
 */
public final class ColumnarFusionPass implements ReshapingPass {

  public static final PassOption<Boolean> KEEP_QUERIES =
      PassOption.flag(
          "keepQueries",
          "whether queries in columns that run one after the other in the same task stay apart");

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
    Samplings samplings = Samplings.of(dag);
    IRDag result = dag;
    for (IRVertex vertex : dag.vertices()) {
      if (canFuse(result, vertex, samplings)) {
        result = result.apply(new FuseQueries(vertex.id()));
      }
    }
    return result;
  }

  private static boolean canFuse(IRDag dag, IRVertex vertex, Samplings samplings) {
    Optional<String> exchange = exchange(vertex);
    Optional<IREdge> in = only(dag.incoming(vertex.id()));
    Optional<IREdge> out = only(dag.outgoing(vertex.id()));
    if (exchange.isEmpty() || in.isEmpty() || out.isEmpty()) {
      return false;
    }
    IRVertex producer = dag.vertex(in.get().from());
    IRVertex consumer = dag.vertex(out.get().to());
    long ways =
        dag.incoming(consumer.id()).stream()
            .filter(edge -> exchange(dag.vertex(edge.from())).equals(exchange))
            .count();
    return ways == 1
        && only(dag.outgoing(producer.id())).isPresent()
        && List.of(producer, vertex, consumer).stream()
            .noneMatch(each -> samplings.sample(each.id()) || waits(dag, each))
        && !filters(dag, producer)
        && canBeOne(producer, exchange.get(), consumer);
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

  private static boolean canBeOne(IRVertex producer, String exchange, IRVertex consumer) {
    return producer instanceof OperatorVertex below
        && consumer instanceof OperatorVertex above
        && RelationalFunctions.fused(above.operator(), exchange, below.operator()).isPresent();
  }

  /** Whether a source is read by the keys that a vertex has of another side. */
  private static boolean filters(IRDag dag, IRVertex reader) {
    return dag.vertices().stream()
        .flatMap(vertex -> vertex.property(KeyFilters.class).stream())
        .flatMap(keys -> keys.filters().stream())
        .anyMatch(filter -> filter.reader().equals(reader.id()));
  }

  private static boolean waits(IRDag dag, IRVertex vertex) {
    return dag.controlDependencies().stream().anyMatch(each -> each.to().equals(vertex.id()));
  }
}
