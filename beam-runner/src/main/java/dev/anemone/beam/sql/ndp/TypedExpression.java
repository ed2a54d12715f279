// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.ndp;

import dev.anemone.ir.relational.DataType;
import dev.anemone.ir.relational.DecimalType;
import dev.anemone.ir.relational.Expression;
import dev.anemone.ir.relational.Literal;
import dev.anemone.ir.relational.SimpleType;
import java.math.BigDecimal;

/**
 * An expression and its type; a null literal takes any. Conversions are those that the planner's
 * own operators make without being asked: to a wider type of numbers.
 */
record TypedExpression(Expression expression, DataType type) {

  private static final int INT32_DIGITS = 10;
  private static final int INT64_DIGITS = 19;

  static TypedExpression of(Literal literal) {
    return new TypedExpression(literal, literal.type());
  }

  boolean isNull() {
    return expression instanceof Literal literal && literal.value().isEmpty();
  }

  /** The same value as a decimal: one with as few digits as its type allows. */
  TypedExpression asDecimal() throws UnsupportedExpressionException {
    if (type instanceof DecimalType) {
      return this;
    }
    if (expression instanceof Literal literal && literal.value().isPresent()) {
      return literal.value().get() instanceof Number number && type != SimpleType.DOUBLE
          ? of(Literal.of(BigDecimal.valueOf(number.longValue())))
          : no("DECIMAL");
    }
    if (type == SimpleType.INT32) {
      return cast(new DecimalType(INT32_DIGITS, 0));
    }
    return type == SimpleType.INT64 ? cast(new DecimalType(INT64_DIGITS, 0)) : no("DECIMAL");
  }

  /** The same value as a type that loses nothing of it, but for digits of a double. */
  TypedExpression as(DataType target) throws UnsupportedExpressionException {
    if (type.equals(target)) {
      return this;
    }
    if (isNull()) {
      return of(Literal.nullOf(target));
    }
    boolean wider =
        switch (rank(target)) {
          case 2 -> rank(type) == 1;
          case 3 -> rank(type) > 0 && rank(type) <= 3;
          case 4 -> rank(type) > 0;
          default -> false;
        };
    if (!wider) {
      return no(target.text());
    }
    if (expression instanceof Literal literal
        && literal.value().orElseThrow() instanceof Number number) {
      if (target == SimpleType.DOUBLE) {
        return of(Literal.of(number.doubleValue()));
      }
      if (target == SimpleType.INT64) {
        return of(Literal.of(number.longValue()));
      }
    }
    return cast(target);
  }

  /** Whole numbers, decimals, doubles; 0 for what is no number. */
  static int rank(DataType type) {
    if (type instanceof DecimalType) {
      return 3;
    }
    return switch ((SimpleType) type) {
      case INT32 -> 1;
      case INT64 -> 2;
      case DOUBLE -> 4;
      case BOOLEAN, DATE, TIMESTAMP, STRING -> 0;
    };
  }

  TypedExpression cast(DataType target) {
    return new TypedExpression(new Expression.Cast(expression, target), target);
  }

  private TypedExpression no(String target) throws UnsupportedExpressionException {
    throw new UnsupportedExpressionException(type + " as " + target);
  }
}
