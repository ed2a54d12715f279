// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational;

import java.util.List;
import java.util.Objects;

/**
 * Finds the type of an expression over a row, and refuses what has none.
 *
 * <p>Operands must be of the same type, but for the precision and scale of decimals: nothing is
 * converted unasked, so that an expression means the same wherever it is evaluated.
 *
 * <p>These casts are allowed, and any type to itself:
 *
 * <table>
 * <caption>Casts</caption>
 * <tr><th>from</th><th>to</th></tr>
 * <tr><td>int32</td><td>int64, decimal, double, string</td></tr>
 * <tr><td>int64</td><td>int32, decimal, double, string</td></tr>
 * <tr><td>decimal</td><td>decimal, double, string</td></tr>
 * <tr><td>date</td><td>timestamp, string</td></tr>
 * <tr><td>timestamp</td><td>date</td></tr>
 * <tr><td>boolean</td><td>string</td></tr>
 * </table>
 */
public final class ExpressionTyper {

  private final RowType row;

  /** For expressions over this row. */
  public ExpressionTyper(RowType row) {
    this.row = Objects.requireNonNull(row, "row");
  }

  /**
   * The type of an expression.
   *
   * @throws InvalidPlanException when it has none, or is nested deeper than {@link
   *     Expression#MAX_DEPTH}
   */
  public ValueType typeOf(Expression expression) {
    return typeOf(expression, 1);
  }

  /**
   * Checks that an expression is a condition.
   *
   * @throws InvalidPlanException when it is not a boolean
   */
  public void requireBoolean(Expression expression) {
    requireBoolean(expression, 1);
  }

  private ValueType typeOf(Expression expression, int depth) {
    if (depth > Expression.MAX_DEPTH) {
      throw new InvalidPlanException(
          "an expression is nested deeper than " + Expression.MAX_DEPTH + " levels");
    }
    int below = depth + 1;
    if (expression instanceof Expression.Column column) {
      return row.field(column.name()).type();
    } else if (expression instanceof Literal literal) {
      return new ValueType(literal.type(), literal.value().isEmpty());
    } else if (expression instanceof Expression.Comparison comparison) {
      return ofComparison(comparison, below);
    } else if (expression instanceof Expression.Arithmetic arithmetic) {
      return ofArithmetic(arithmetic, below);
    } else if (expression instanceof Expression.And and) {
      return ofConditions(and.operands(), below);
    } else if (expression instanceof Expression.Or or) {
      return ofConditions(or.operands(), below);
    } else if (expression instanceof Expression.Not not) {
      return ofConditions(List.of(not.operand()), below);
    } else if (expression instanceof Expression.Between between) {
      return ofBetween(between, below);
    } else if (expression instanceof Expression.In in) {
      return ofIn(in, below);
    } else if (expression instanceof Expression.Like like) {
      ValueType value = typeOf(like.value(), below);
      require(value.type() == SimpleType.STRING, like, "looks for a pattern in a " + value.type());
      return bool(value.nullable());
    } else if (expression instanceof Expression.IsNull isNull) {
      typeOf(isNull.value(), below);
      return bool(false);
    } else if (expression instanceof Expression.Case choice) {
      return ofCase(choice, below);
    } else if (expression instanceof Expression.DateAdd add) {
      return ofDateAdd(add, below);
    } else if (expression instanceof Expression.DaysBetween days) {
      return ofDaysBetween(days, below);
    } else if (expression instanceof Expression.Extract extract) {
      ValueType value = typeOf(extract.value(), below);
      require(isTime(value.type()), extract, "takes a part of a date out of a " + value.type());
      return new ValueType(SimpleType.INT64, value.nullable());
    } else if (expression instanceof Expression.Cast cast) {
      return ofCast(cast, below);
    } else if (expression instanceof Expression.Call call) {
      return ofCall(call, below);
    }
    throw new IllegalStateException("no type of a " + expression.getClass().getSimpleName());
  }

  private ValueType ofComparison(Expression.Comparison comparison, int depth) {
    ValueType left = typeOf(comparison.left(), depth);
    ValueType right = typeOf(comparison.right(), depth);
    requireComparable(left.type(), right.type(), comparison);
    boolean ordered =
        comparison.relation() != Expression.Comparison.Relation.EQUAL
            && comparison.relation() != Expression.Comparison.Relation.NOT_EQUAL;
    require(
        !ordered || left.type() != SimpleType.BOOLEAN,
        comparison,
        "orders booleans, which can only be equal or not");
    return bool(left.nullable() || right.nullable());
  }

  private ValueType ofBetween(Expression.Between between, int depth) {
    ValueType value = typeOf(between.value(), depth);
    ValueType low = typeOf(between.low(), depth);
    ValueType high = typeOf(between.high(), depth);
    requireComparable(value.type(), low.type(), between);
    requireComparable(value.type(), high.type(), between);
    require(value.type() != SimpleType.BOOLEAN, between, "orders booleans");
    return bool(value.nullable() || low.nullable() || high.nullable());
  }

  private ValueType ofIn(Expression.In in, int depth) {
    ValueType value = typeOf(in.value(), depth);
    for (Literal literal : in.literals()) {
      requireComparable(value.type(), literal.type(), in);
    }
    return bool(value.nullable());
  }

  private ValueType ofConditions(List<Expression> operands, int depth) {
    boolean nullable = false;
    for (Expression operand : operands) {
      nullable |= requireBoolean(operand, depth).nullable();
    }
    return bool(nullable);
  }

  private ValueType ofCase(Expression.Case choice, int depth) {
    ValueType first = typeOf(choice.branches().get(0).result(), depth);
    boolean nullable = choice.otherwise().isEmpty();
    for (Expression.Case.Branch branch : choice.branches()) {
      requireBoolean(branch.condition(), depth);
      nullable |= requireSame(first, branch.result(), choice, depth);
    }
    if (choice.otherwise().isPresent()) {
      nullable |= requireSame(first, choice.otherwise().get(), choice, depth);
    }
    return new ValueType(first.type(), nullable);
  }

  private boolean requireSame(
      ValueType first, Expression result, Expression.Case choice, int depth) {
    ValueType type = typeOf(result, depth);
    require(
        type.type().equals(first.type()),
        choice,
        "gives a "
            + first.type()
            + " here and a "
            + type.type()
            + " there; cast the results to one type");
    return type.nullable();
  }

  private ValueType ofArithmetic(Expression.Arithmetic arithmetic, int depth) {
    ValueType left = typeOf(arithmetic.left(), depth);
    ValueType right = typeOf(arithmetic.right(), depth);
    boolean nullable = left.nullable() || right.nullable();
    if (left.type() instanceof DecimalType x && right.type() instanceof DecimalType y) {
      return new ValueType(ofDecimals(arithmetic, x, y), nullable);
    }
    require(
        left.type().isNumeric() && left.type().equals(right.type()),
        arithmetic,
        "combines a "
            + left.type()
            + " with a "
            + right.type()
            + "; two numbers of the same type are needed, so cast one");
    require(
        arithmetic.operator() != Expression.Arithmetic.Operator.REMAINDER
            || left.type() != SimpleType.DOUBLE,
        arithmetic,
        "takes the remainder of doubles; whole numbers are needed");
    return new ValueType(left.type(), nullable);
  }

  private static DecimalType ofDecimals(
      Expression.Arithmetic arithmetic, DecimalType x, DecimalType y) {
    switch (arithmetic.operator()) {
      case ADD, SUBTRACT -> {
        int scale = Math.max(x.scale(), y.scale());
        int digits = Math.max(x.integerDigits(), y.integerDigits()) + 1;
        return new DecimalType(Math.min(DecimalType.MAX_PRECISION, digits + scale), scale);
      }
      case MULTIPLY -> {
        int scale = x.scale() + y.scale();
        require(
            scale <= DecimalType.MAX_PRECISION,
            arithmetic,
            "has "
                + scale
                + " digits after the point, and a decimal has "
                + DecimalType.MAX_PRECISION
                + " in all; cast one side to a smaller scale");
        return new DecimalType(
            Math.min(DecimalType.MAX_PRECISION, x.precision() + y.precision()), scale);
      }
      case DIVIDE, REMAINDER ->
          throw wrong(
              arithmetic, "divides decimals, which has no exact result; cast both to double");
    }
    throw new IllegalStateException("no type of " + arithmetic.operator());
  }

  private ValueType ofDateAdd(Expression.DateAdd add, int depth) {
    ValueType value = typeOf(add.value(), depth);
    require(isTime(value.type()), add, "moves a " + value.type() + "; a date or timestamp can be");
    boolean wholeDays =
        switch (add.unit()) {
          case DAY, MONTH, YEAR -> true;
          case SECOND, MINUTE, HOUR -> false;
        };
    require(
        wholeDays || value.type() == SimpleType.TIMESTAMP,
        add,
        "moves a date by less than a day; cast it to timestamp");
    return value;
  }

  private ValueType ofDaysBetween(Expression.DaysBetween days, int depth) {
    ValueType from = typeOf(days.from(), depth);
    ValueType to = typeOf(days.to(), depth);
    require(
        from.type() == SimpleType.DATE && to.type() == SimpleType.DATE,
        days,
        "counts days from a " + from.type() + " to a " + to.type() + "; two dates are needed");
    return new ValueType(SimpleType.INT64, from.nullable() || to.nullable());
  }

  private ValueType ofCast(Expression.Cast cast, int depth) {
    ValueType value = typeOf(cast.value(), depth);
    require(
        Casts.isAllowed(value.type(), cast.type()),
        cast,
        "makes a "
            + value.type()
            + " a "
            + cast.type()
            + ", which engines do in different ways; leave it to the operator above");
    return new ValueType(cast.type(), value.nullable());
  }

  private ValueType ofCall(Expression.Call call, int depth) {
    List<ValueType> arguments =
        call.arguments().stream().map(argument -> typeOf(argument, depth)).toList();
    return new ValueType(
        call.function().typeOf(call, arguments.stream().map(ValueType::type).toList()),
        arguments.stream().anyMatch(ValueType::nullable));
  }

  private ValueType requireBoolean(Expression expression, int depth) {
    ValueType type = typeOf(expression, depth);
    require(
        type.type() == SimpleType.BOOLEAN,
        expression,
        "is a " + type.type() + " where a condition is needed");
    return type;
  }

  private static void requireComparable(DataType left, DataType right, Expression where) {
    if (left instanceof DecimalType x && right instanceof DecimalType y) {
      int digits = Math.max(x.integerDigits(), y.integerDigits()) + Math.max(x.scale(), y.scale());
      require(
          digits <= DecimalType.MAX_PRECISION,
          where,
          "compares a "
              + left
              + " with a "
              + right
              + ", for which "
              + digits
              + " digits would be needed; cast one side");
      return;
    }
    require(
        left.equals(right),
        where,
        "compares a " + left + " with a " + right + "; cast one side to the other's type");
  }

  private static boolean isTime(DataType type) {
    return type == SimpleType.DATE || type == SimpleType.TIMESTAMP;
  }

  private static ValueType bool(boolean nullable) {
    return new ValueType(SimpleType.BOOLEAN, nullable);
  }

  private static void require(boolean condition, Expression where, String what) {
    if (!condition) {
      throw wrong(where, what);
    }
  }

  private static InvalidPlanException wrong(Expression where, String what) {
    return new InvalidPlanException(Texts.shortened(ExpressionText.of(where)) + " " + what);
  }
}
