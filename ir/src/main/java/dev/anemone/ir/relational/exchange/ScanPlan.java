// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational.exchange;

import dev.anemone.ir.relational.Expression;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.RelationalOperator;
import dev.anemone.ir.relational.RelationalPlan;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.SimpleType;
import dev.anemone.ir.relational.query.Relation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A fragment over the splits of a table as a plan for each of them.
 *
 * @param table its name
 * @param plan with a scan of the columns that it needs
 */
public record ScanPlan(String table, RelationalPlan plan) {

  /** Whether a plan for a split can have an operator that is no aggregate. */
  static boolean allows(RelationalOperator operator) {
    if (operator instanceof RelationalOperator.Filter filter) {
      return !hasCall(filter.condition());
    }
    return operator instanceof RelationalOperator.Project project
        && project.columns().stream().noneMatch(column -> hasCall(column.expression()));
  }

  private static boolean hasCall(Expression expression) {
    return expression instanceof Expression.Call
        || expression.children().stream().anyMatch(ScanPlan::hasCall);
  }

  /**
   * The plan of a fragment.
   *
   * @throws IllegalArgumentException when it does not run on splits
   */
  public static ScanPlan of(Fragment fragment) {
    List<RelationalOperator> operators = new ArrayList<>();
    Relation relation = fragment.query().root();
    while (relation instanceof Relation.Step step) {
      operators.add(step.operator());
      relation = step.input();
    }
    if (!(relation instanceof Relation.Input table)) {
      throw new IllegalArgumentException("is no plan for splits: " + fragment.text());
    }
    Collections.reverse(operators);
    return new ScanPlan(
        table.name(), new RelationalPlan(needed(table.row(), operators), operators));
  }

  /** The columns that operators read; one at least, because rows without columns are none. */
  private static RowType needed(RowType table, List<RelationalOperator> operators) {
    Set<String> columns = new HashSet<>();
    for (RelationalOperator operator : operators) {
      columns.addAll(operator.columnsRead());
      if (!(operator instanceof RelationalOperator.Filter)) {
        return columns.isEmpty() ? RowType.of(narrowest(table)) : only(table, columns);
      }
    }
    return table;
  }

  private static RowType only(RowType table, Set<String> columns) {
    return new RowType(
        table.fields().stream().filter(field -> columns.contains(field.name())).toList());
  }

  private static Field narrowest(RowType table) {
    return table.fields().stream()
        .filter(field -> field.type().type() != SimpleType.STRING)
        .findFirst()
        .orElse(table.fields().get(0));
  }
}
