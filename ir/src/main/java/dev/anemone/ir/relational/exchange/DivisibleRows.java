// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational.exchange;

import dev.anemone.ir.relational.Expression;
import dev.anemone.ir.relational.RelationalOperator;
import dev.anemone.ir.relational.RelationalOperator.NamedExpression;
import dev.anemone.ir.relational.query.Relation;
import dev.anemone.ir.relational.query.RelationalQuery;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * How the rows of a query's only input may be divided, so that the query's rows are those of all
 * parts: rows that are equal in some columns stay together, as the windows of the query need it.
 */
public final class DivisibleRows {

  private DivisibleRows() {}

  /** Columns of a relation that are columns of the input, and those that keep rows together. */
  private record Columns(Map<String, String> inputs, Set<String> keys) {}

  /**
   * The columns of the input in which rows of one part must be equal.
   *
   * @return empty when a query has to be given all rows at once, or has no windows
   */
  public static List<String> keys(RelationalQuery query) {
    return columns(query.root()).map(columns -> List.copyOf(columns.keys())).orElse(List.of());
  }

  private static Optional<Columns> columns(Relation relation) {
    if (relation instanceof Relation.Input input) {
      Map<String, String> same = new HashMap<>();
      input.row().fields().forEach(field -> same.put(field.name(), field.name()));
      return Optional.of(new Columns(same, Set.of()));
    } else if (relation instanceof Relation.Step step) {
      if (step.operator() instanceof RelationalOperator.Aggregate) {
        return Optional.empty();
      }
      Optional<Columns> below = columns(step.input());
      return step.operator() instanceof RelationalOperator.Project project
          ? below.map(columns -> projected(columns, project))
          : below;
    } else if (relation instanceof Relation.Windowed windowed) {
      return columns(windowed.input()).flatMap(columns -> windowed(columns, windowed));
    }
    return Optional.empty();
  }

  private static Columns projected(Columns columns, RelationalOperator.Project project) {
    Map<String, String> inputs = new HashMap<>();
    for (NamedExpression made : project.columns()) {
      if (made.expression() instanceof Expression.Column column
          && columns.inputs().containsKey(column.name())) {
        inputs.put(made.name(), columns.inputs().get(column.name()));
      }
    }
    return new Columns(inputs, columns.keys());
  }

  private static Optional<Columns> windowed(Columns columns, Relation.Windowed windowed) {
    Set<String> keys = null;
    for (Relation.WindowCall call : windowed.calls()) {
      Set<String> partition = new LinkedHashSet<>();
      call.partition().stream()
          .filter(columns.inputs()::containsKey)
          .map(columns.inputs()::get)
          .forEach(partition::add);
      if (keys == null) {
        keys = partition;
      } else {
        keys.retainAll(partition);
      }
    }
    if (keys == null) {
      return Optional.of(columns);
    }
    if (!columns.keys().isEmpty()) {
      keys.retainAll(columns.keys());
    }
    return keys.isEmpty() ? Optional.empty() : Optional.of(new Columns(columns.inputs(), keys));
  }
}
