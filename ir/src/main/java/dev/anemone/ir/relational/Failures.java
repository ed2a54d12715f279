// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational;

import dev.anemone.ir.relational.Expression.Arithmetic;

/**
 * Which expressions may fail, for a number that does not fit or a division by zero. Conditions that
 * may are asked after those that cannot, so that {@code 1 / n > 2 and n <> 0} means the same in any
 * order. Thread-safe.
 */
public final class Failures {

  private final ExpressionTyper typer;

  /** Of expressions over some columns. */
  public Failures(ExpressionTyper typer) {
    this.typer = typer;
  }

  /** Whether an expression, or one in it, may fail. */
  public boolean mayFail(Expression expression) {
    return failsItself(expression) || expression.children().stream().anyMatch(this::mayFail);
  }

  private boolean failsItself(Expression expression) {
    if (expression instanceof Arithmetic) {
      return typer.typeOf(expression).type() != SimpleType.DOUBLE;
    }
    if (expression instanceof Expression.Cast cast) {
      return !(cast.value() instanceof Literal)
          && !holds(cast.type(), typer.typeOf(cast.value()).type());
    }
    return expression instanceof Expression.DateAdd
        || (expression instanceof Expression.Call call
            && (call.function() == ScalarFunction.QUOTIENT
                || call.function() == ScalarFunction.ABS));
  }

  /** Whether a type has room for all values of another one. */
  private static boolean holds(DataType type, DataType values) {
    if (type == SimpleType.DOUBLE || type.equals(values)) {
      return true;
    }
    if (!(type instanceof DecimalType wider)) {
      return type == SimpleType.INT64 && values == SimpleType.INT32;
    }
    return values instanceof DecimalType decimal
        && wider.scale() >= decimal.scale()
        && wider.integerDigits() >= decimal.integerDigits();
  }
}
