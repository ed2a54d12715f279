// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.ndp;

import dev.anemone.beam.sql.ndp.ExpressionConverter.Operands;
import dev.anemone.ir.relational.DecimalType;
import dev.anemone.ir.relational.Expression;
import dev.anemone.ir.relational.Expression.Arithmetic.Operator;
import dev.anemone.ir.relational.Expression.Comparison.Relation;
import dev.anemone.ir.relational.Literal;
import dev.anemone.ir.relational.ScalarFunction;
import dev.anemone.ir.relational.SimpleType;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexCall;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlKind;

/** Converts what is done with numbers, each to the type that both operands have then. */
final class NumberConverter {

  private static final int DECIMAL_RANK = 3;

  private NumberConverter() {}

  /**
   * A comparison, of numbers in the type of both.
   *
   * @param whole whether it is of a whole query
   */
  static TypedExpression compared(Relation relation, RexCall call, Operands operands, boolean whole)
      throws UnsupportedExpressionException {
    TypedExpression left = operands.of(call, 0);
    TypedExpression right = operands.of(call, 1);
    if (left.isNull() || right.isNull()) {
      throw new UnsupportedExpressionException(call.toString());
    }
    if (TypedExpression.rank(left.type()) > 0 && TypedExpression.rank(right.type()) > 0) {
      int rank = Math.max(TypedExpression.rank(left.type()), TypedExpression.rank(right.type()));
      left = ofRank(left, rank);
      right = ofRank(right, rank);
    }
    if (whole && left.type() instanceof DecimalType x && right.type() instanceof DecimalType y) {
      DecimalType wider = SqlRows.wider(x, y);
      left = x.scale() == wider.scale() ? left : left.cast(wider);
      right = y.scale() == wider.scale() ? right : right.cast(wider);
    }
    return ExpressionConverter.bool(
        new Expression.Comparison(relation, left.expression(), right.expression()));
  }

  private static TypedExpression ofRank(TypedExpression number, int rank)
      throws UnsupportedExpressionException {
    return switch (rank) {
      case 1 -> number;
      case 2 -> number.as(SimpleType.INT64);
      case 3 -> number.asDecimal();
      default -> number.as(SimpleType.DOUBLE);
    };
  }

  /**
   * Two numbers combined, or a date moved.
   *
   * @param whole whether it is of a whole query, which knows any division
   */
  static TypedExpression arithmetic(RexCall call, Operands operands, boolean whole)
      throws UnsupportedExpressionException {
    if (call.getOperands().size() != 2) {
      throw new UnsupportedExpressionException(call.toString());
    }
    if (SqlRows.isTime(call.getOperands().get(0).getType())) {
      return Literals.moved(operands.of(call, 0), call);
    }
    int rank =
        switch (call.getType().getSqlTypeName()) {
          case INTEGER -> 1;
          case BIGINT -> 2;
          case DECIMAL -> 3;
          case DOUBLE -> 4;
          default -> throw new UnsupportedExpressionException(call.toString());
        };
    TypedExpression left = ofRank(operands.of(call, 0), rank);
    TypedExpression right = ofRank(operands.of(call, 1), rank);
    if (left.isNull() || right.isNull()) {
      throw new UnsupportedExpressionException(call.toString());
    }
    if (whole && call.getKind() == SqlKind.DIVIDE && rank == DECIMAL_RANK) {
      return new TypedExpression(
          Expression.Call.of(ScalarFunction.QUOTIENT, left.expression(), right.expression()),
          left.type());
    }
    return new TypedExpression(
        new Expression.Arithmetic(
            operator(call.getKind(), rank, right, whole), left.expression(), right.expression()),
        left.type());
  }

  private static Operator operator(
      SqlKind kind, int rank, TypedExpression right, boolean anyDivisor)
      throws UnsupportedExpressionException {
    boolean isWhole = rank < DECIMAL_RANK;
    boolean divisible =
        (anyDivisor && (isWhole || (rank > DECIMAL_RANK && kind == SqlKind.DIVIDE)))
            || (isWhole && isDivisor(right));
    return switch (kind) {
      case PLUS -> Operator.ADD;
      case MINUS -> Operator.SUBTRACT;
      case TIMES -> Operator.MULTIPLY;
      case DIVIDE -> {
        if (!divisible) {
          throw new UnsupportedExpressionException("a quotient");
        }
        yield Operator.DIVIDE;
      }
      default -> {
        if (!divisible) {
          throw new UnsupportedExpressionException("a remainder");
        }
        yield Operator.REMAINDER;
      }
    };
  }

  /** Whether a whole number can be divided by a value, whatever the number is. */
  private static boolean isDivisor(TypedExpression right) {
    return right.expression() instanceof Literal literal
        && literal.value().orElseThrow() instanceof Number number
        && number.longValue() != 0
        && number.longValue() != -1;
  }

  /** A number with the other sign; that of a zero changes, too, where it has one. */
  static TypedExpression negative(TypedExpression number) throws UnsupportedExpressionException {
    if (number.type() == SimpleType.DOUBLE) {
      return new TypedExpression(
          new Expression.Arithmetic(Operator.MULTIPLY, Literal.of(-1.0), number.expression()),
          number.type());
    }
    TypedExpression zero = TypedExpression.of(Literal.of(0)).as(number.type());
    return new TypedExpression(
        new Expression.Arithmetic(Operator.SUBTRACT, zero.expression(), number.expression()),
        number.type());
  }
}
