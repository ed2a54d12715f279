// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir;

import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.KeyFilters.KeyFilter;
import dev.anemone.ir.relational.Expression;
import dev.anemone.ir.relational.RelationalOperator;
import dev.anemone.ir.relational.RelationalOperator.NamedExpression;
import dev.anemone.ir.relational.exchange.PiecedQuery;
import dev.anemone.ir.relational.exchange.WantedKeys;
import dev.anemone.ir.relational.exchange.WantedKeys.WantedKey;
import dev.anemone.ir.relational.json.RelationalFunctions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** By which keys of broadcast sides of joins the rows of sources may be filtered. */
public final class BuildSideKeys {

  private BuildSideKeys() {}

  /** A column of a source's rows. */
  private record SourceColumn(String source, String column) {}

  /**
   * All filters that leave out only what no join behind a source has a use for, by the source's id:
   * nobody else reads the source, and what is between it and the join keeps the column.
   */
  public static Map<String, List<KeyFilter>> of(IRDag dag) {
    Map<String, List<KeyFilter>> filters = new LinkedHashMap<>();
    for (IRVertex vertex : dag.vertices()) {
      if (vertex instanceof OperatorVertex operator) {
        Optional<PiecedQuery> query = RelationalFunctions.piecedOf(operator.operator());
        for (WantedKey key : query.map(WantedKeys::of).orElse(List.of())) {
          if (isBroadcast(dag, operator, key.input())) {
            sourceOf(dag, operator, key.column())
                .ifPresent(
                    from ->
                        filters
                            .computeIfAbsent(from.source(), source -> new ArrayList<>())
                            .add(
                                new KeyFilter(
                                    from.column(), operator.id(), key.input(), key.key())));
          }
        }
      }
    }
    return filters;
  }

  private static boolean isBroadcast(IRDag dag, IRVertex reader, String input) {
    List<IREdge> sides =
        dag.incoming(reader.id()).stream().filter(edge -> edge.input().equals(input)).toList();
    return !sides.isEmpty()
        && sides.stream().allMatch(edge -> edge.pattern() == CommunicationPattern.BROADCAST);
  }

  /** Where a column of what a vertex iterates comes from. */
  private static Optional<SourceColumn> sourceOf(IRDag dag, OperatorVertex reader, String column) {
    Optional<IRVertex> producer = onlyProducer(dag, reader);
    Optional<String> name = Optional.of(column);
    while (name.isPresent() && producer.isPresent()) {
      if (producer.get() instanceof SourceVertex source) {
        List<OperatorVertex> pushed = source.pushed();
        for (int i = pushed.size() - 1; i >= 0 && name.isPresent(); i--) {
          name = before(pushed.get(i), name.get());
        }
        return name.map(found -> new SourceColumn(source.id(), found));
      }
      OperatorVertex operator = (OperatorVertex) producer.get();
      name = before(operator, name.get());
      producer = onlyProducer(dag, operator);
    }
    return Optional.empty();
  }

  /** The source or operator that alone makes what a vertex iterates, and makes it for it alone. */
  private static Optional<IRVertex> onlyProducer(IRDag dag, OperatorVertex reader) {
    List<IREdge> main =
        dag.incoming(reader.id()).stream()
            .filter(edge -> edge.input().equals(IREdge.MAIN))
            .toList();
    if (main.size() != 1
        || main.get(0).pattern() != CommunicationPattern.ONE_TO_ONE
        || dag.outgoing(main.get(0).from()).size() != 1) {
      return Optional.empty();
    }
    IRVertex producer = dag.vertex(main.get(0).from());
    return producer instanceof SourceVertex || producer instanceof OperatorVertex
        ? Optional.of(producer)
        : Optional.empty();
  }

  /** The column that one behind an operator was before it, if it is still the same. */
  private static Optional<String> before(OperatorVertex vertex, String column) {
    Optional<RelationalOperator> operator = RelationalFunctions.operatorOf(vertex.operator());
    if (operator.isEmpty()) {
      return RelationalFunctions.exchangeOf(vertex.operator()).isPresent()
          ? Optional.of(column)
          : Optional.empty();
    } else if (operator.get() instanceof RelationalOperator.Project project) {
      return project.columns().stream()
          .filter(made -> made.name().equals(column))
          .map(NamedExpression::expression)
          .filter(Expression.Column.class::isInstance)
          .map(made -> ((Expression.Column) made).name())
          .findFirst();
    }
    boolean isKept =
        !(operator.get() instanceof RelationalOperator.Aggregate aggregate)
            || aggregate.groupBy().contains(column);
    return isKept ? Optional.of(column) : Optional.empty();
  }
}
