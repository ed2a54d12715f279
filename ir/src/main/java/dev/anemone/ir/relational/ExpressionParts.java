// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Which expressions an expression is made of. */
final class ExpressionParts {

  private ExpressionParts() {}

  /** The columns that any of them is made of. */
  static Set<String> columns(Stream<Expression> expressions) {
    Set<String> columns = new HashSet<>();
    expressions.forEach(expression -> addColumns(expression, columns));
    return Set.copyOf(columns);
  }

  private static void addColumns(Expression expression, Set<String> columns) {
    if (expression instanceof Expression.Column column) {
      columns.add(column.name());
    }
    of(expression).forEach(part -> addColumns(part, columns));
  }

  static List<Expression> of(Expression expression) {
    if (expression instanceof Expression.Column || expression instanceof Literal) {
      return List.of();
    } else if (expression instanceof Expression.Comparison comparison) {
      return List.of(comparison.left(), comparison.right());
    } else if (expression instanceof Expression.Arithmetic arithmetic) {
      return List.of(arithmetic.left(), arithmetic.right());
    } else if (expression instanceof Expression.And and) {
      return and.operands();
    } else if (expression instanceof Expression.Or or) {
      return or.operands();
    } else if (expression instanceof Expression.Not not) {
      return List.of(not.operand());
    } else if (expression instanceof Expression.Between between) {
      return List.of(between.value(), between.low(), between.high());
    } else if (expression instanceof Expression.In in) {
      List<Expression> parts = new ArrayList<>();
      parts.add(in.value());
      parts.addAll(in.literals());
      return List.copyOf(parts);
    } else if (expression instanceof Expression.Like like) {
      return List.of(like.value());
    } else if (expression instanceof Expression.IsNull isNull) {
      return List.of(isNull.value());
    } else if (expression instanceof Expression.Case choice) {
      return ofCase(choice);
    } else if (expression instanceof Expression.DateAdd add) {
      return List.of(add.value());
    } else if (expression instanceof Expression.DaysBetween days) {
      return List.of(days.from(), days.to());
    } else if (expression instanceof Expression.Extract extract) {
      return List.of(extract.value());
    } else if (expression instanceof Expression.Cast cast) {
      return List.of(cast.value());
    } else if (expression instanceof Expression.Call call) {
      return call.arguments();
    }
    throw new IllegalStateException("no parts known of " + expression.getClass().getSimpleName());
  }

  private static List<Expression> ofCase(Expression.Case choice) {
    List<Expression> parts = new ArrayList<>();
    for (Expression.Case.Branch branch : choice.branches()) {
      parts.add(branch.condition());
      parts.add(branch.result());
    }
    choice.otherwise().ifPresent(parts::add);
    return List.copyOf(parts);
  }
}
