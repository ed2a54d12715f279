// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational;

import dev.anemone.ir.relational.Expression.Arithmetic;
import java.util.HashSet;
import java.util.Set;

/**
 * Which expressions may fail, for a number that does not fit or a division by zero: {@link
 * AskingOrder} says why that matters. Thread-safe.
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

  /** The parts of an expression that may fail by themselves, and it, if it does. */
  public Set<Expression> of(Expression expression) {
    Set<Expression> all = new HashSet<>();
    addTo(all, expression);
    return all;
  }

  private void addTo(Set<Expression> all, Expression expression) {
    if (failsItself(expression)) {
      all.add(expression);
    }
    expression.children().forEach(child -> addTo(all, child));
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
