// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.sql;

import dev.anemone.ir.relational.AggregateCall;
import dev.anemone.ir.relational.DataType;
import dev.anemone.ir.relational.DecimalType;
import dev.anemone.ir.relational.Expression;
import dev.anemone.ir.relational.ExpressionText;
import dev.anemone.ir.relational.InvalidPlanException;
import dev.anemone.ir.relational.RelationalOperator;
import dev.anemone.ir.relational.RelationalOperator.Aggregate;
import dev.anemone.ir.relational.RelationalOperator.Filter;
import dev.anemone.ir.relational.RelationalOperator.NamedExpression;
import dev.anemone.ir.relational.RelationalOperator.Phase;
import dev.anemone.ir.relational.RelationalOperator.Project;
import dev.anemone.ir.relational.RelationalPlan;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.SimpleType;
import java.util.ArrayList;
import java.util.List;

/**
 * A plan as a query: each operator a sub-query of the one before. The columns of level 2 are {@code
 * c2_0}, {@code c2_1} and so on, whatever the plan calls them.
 */
public final class PlanSql {

  private int level;
  private String query;
  private RowType row;

  private PlanSql(String query, RowType row) {
    this.query = query;
    this.row = row;
  }

  /**
   * The query of a plan.
   *
   * @param scan a query for the rows of the plan's scan, with columns {@code c0_0}, {@code c0_1}
   *     ...
   * @throws InvalidPlanException when the plan has an operator for whole tables: a split has only
   *     partial results
   */
  public static String of(RelationalPlan plan, String scan) {
    PlanSql sql = new PlanSql(scan, plan.scan());
    List<RowType> rows = plan.rowTypes();
    for (int i = 0; i < plan.operators().size(); i++) {
      sql.add(plan.operators().get(i), i == plan.operators().size() - 1);
      sql.row = rows.get(i + 1);
    }
    return sql.query;
  }

  /** The name of a column in SQL. */
  public static String column(int level, int index) {
    return "c" + level + "_" + index;
  }

  private void add(RelationalOperator operator, boolean last) {
    if (operator instanceof Filter filter) {
      requireNoCall(filter.condition());
      query = "SELECT * FROM (" + query + ") WHERE " + expressions().ofFilter(filter.condition());
    } else if (operator instanceof Project project) {
      List<String> columns = new ArrayList<>();
      for (NamedExpression column : project.columns()) {
        requireNoCall(column.expression());
        columns.add(expressions().of(column.expression()));
      }
      select(columns, "");
    } else if (operator instanceof Aggregate aggregate) {
      if (aggregate.phase() != Phase.PARTIAL || !last) {
        throw new InvalidPlanException(
            aggregate.text()
                + " cannot be run on a split: an aggregate there must be a partial one and the last"
                + " operator; its final half comes where the results of all splits meet");
      }
      add(aggregate);
    }
  }

  /** Functions are for whole queries: what a storage node runs has none. */
  private static void requireNoCall(Expression expression) {
    if (expression instanceof Expression.Call call) {
      throw new InvalidPlanException(
          ExpressionText.of(call) + " is a function, which a plan for a split cannot have");
    }
    expression.children().forEach(PlanSql::requireNoCall);
  }

  private void add(Aggregate aggregate) {
    List<String> columns = new ArrayList<>();
    for (String key : aggregate.groupBy()) {
      columns.add(column(level, row.indexOf(key).orElseThrow()));
    }
    String keys = String.join(", ", columns);
    for (AggregateCall call : aggregate.calls()) {
      columns.addAll(
          AggregateStates.of(call, row, name -> column(level, row.indexOf(name).orElseThrow())));
    }
    select(columns, keys.isEmpty() ? "" : " GROUP BY " + keys);
  }

  /**
   * A sum in the type that a sum of such values has. DuckDB lets a sum of decimals fail beyond 38
   * digits, and one of whole numbers has the type HUGEINT.
   *
   * @param sum in SQL
   * @param type of what is added
   */
  static String typedSum(String sum, DataType type, DataType sumOfWholeNumbers) {
    if (type instanceof DecimalType decimal) {
      return SqlText.cast(sum, new DecimalType(DecimalType.MAX_PRECISION, decimal.scale()));
    }
    return type == SimpleType.DOUBLE ? sum : SqlText.cast(sum, sumOfWholeNumbers);
  }

  private void select(List<String> columns, String groupBy) {
    StringBuilder selected = new StringBuilder();
    for (int i = 0; i < columns.size(); i++) {
      selected
          .append(i == 0 ? "" : ", ")
          .append(columns.get(i))
          .append(" AS ")
          .append(column(level + 1, i));
    }
    query = "SELECT " + selected + " FROM (" + query + ")" + groupBy;
    level++;
  }

  private ExpressionSql expressions() {
    int current = level;
    return new ExpressionSql(row, index -> column(current, index));
  }
}
