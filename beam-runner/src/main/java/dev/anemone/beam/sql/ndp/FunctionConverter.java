// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.ndp;

import dev.anemone.beam.sql.ndp.ExpressionConverter.Operands;
import dev.anemone.ir.relational.DecimalType;
import dev.anemone.ir.relational.Expression;
import dev.anemone.ir.relational.Expression.Arithmetic.Operator;
import dev.anemone.ir.relational.ExpressionTyper;
import dev.anemone.ir.relational.Literal;
import dev.anemone.ir.relational.ScalarFunction;
import dev.anemone.ir.relational.SimpleType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.avatica.util.TimeUnitRange;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexCall;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexLiteral;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlKind;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlOperator;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.fun.SqlTrimFunction;

/** Converts functions that mean the same in the engine: of numbers, texts and dates. */
final class FunctionConverter {

  private static final Map<SqlOperator, ScalarFunction> FUNCTIONS =
      Map.of(
          SqlStdOperatorTable.SUBSTRING, ScalarFunction.SUBSTRING,
          SqlStdOperatorTable.CONCAT, ScalarFunction.CONCAT,
          SqlStdOperatorTable.ABS, ScalarFunction.ABS,
          SqlStdOperatorTable.CHAR_LENGTH, ScalarFunction.CHAR_LENGTH,
          SqlStdOperatorTable.CHARACTER_LENGTH, ScalarFunction.CHAR_LENGTH,
          SqlStdOperatorTable.POSITION, ScalarFunction.POSITION,
          SqlStdOperatorTable.FLOOR, ScalarFunction.FLOOR,
          SqlStdOperatorTable.CEIL, ScalarFunction.CEIL);

  private FunctionConverter() {}

  /**
   * A function of a whole query.
   *
   * @throws UnsupportedExpressionException when it is not known
   */
  static TypedExpression of(RexCall call, Operands given, ExpressionTyper typer)
      throws UnsupportedExpressionException {
    if (call.getKind() == SqlKind.MINUS_PREFIX) {
      return NumberConverter.negative(given.of(call, 0));
    }
    if (call.getOperator().equals(SqlStdOperatorTable.ROUND)) {
      return rounded(call, given.of(call, 0));
    }
    if (call.getOperator().equals(SqlStdOperatorTable.TRIM)) {
      return trimmed(call, given);
    }
    ScalarFunction function = FUNCTIONS.get(call.getOperator());
    if (function == null) {
      throw new UnsupportedExpressionException(call.toString());
    }
    List<Expression> operands = new ArrayList<>();
    for (int i = 0; i < call.getOperands().size(); i++) {
      operands.add(given.of(call, i).expression());
    }
    Expression.Call converted = new Expression.Call(function, operands);
    return new TypedExpression(converted, typer.typeOf(converted).type());
  }

  /** A decimal with fewer digits after the point, which a cast rounds as ROUND does. */
  private static TypedExpression rounded(RexCall call, TypedExpression value)
      throws UnsupportedExpressionException {
    if (value.type() instanceof DecimalType type
        && call.getOperands().size() == 2
        && call.getOperands().get(1) instanceof RexLiteral digits
        && digits.getValueAs(Integer.class) >= 0
        && digits.getValueAs(Integer.class) < type.scale()) {
      int scale = digits.getValueAs(Integer.class);
      int precision = Math.min(DecimalType.MAX_PRECISION, type.integerDigits() + 1 + scale);
      return value.cast(new DecimalType(precision, scale));
    }
    throw new UnsupportedExpressionException(call.toString());
  }

  /** TRIM, whose operands are the ends, a character, and the text. */
  private static TypedExpression trimmed(RexCall call, Operands given)
      throws UnsupportedExpressionException {
    if (!(call.getOperands().get(0) instanceof RexLiteral ends)) {
      throw new UnsupportedExpressionException(call.toString());
    }
    ScalarFunction function =
        switch (ends.getValueAs(SqlTrimFunction.Flag.class)) {
          case BOTH -> ScalarFunction.TRIM;
          case LEADING -> ScalarFunction.TRIM_START;
          case TRAILING -> ScalarFunction.TRIM_END;
        };
    return new TypedExpression(
        Expression.Call.of(
            function, given.of(call, 2).expression(), given.of(call, 1).expression()),
        SimpleType.STRING);
  }

  /** A part of a date. */
  static TypedExpression extract(RexCall call, TypedExpression date)
      throws UnsupportedExpressionException {
    if (!(call.getOperands().get(0) instanceof RexLiteral literal)
        || !(literal.getValue() instanceof TimeUnitRange range)) {
      throw new UnsupportedExpressionException(call.toString());
    }
    if (range == TimeUnitRange.QUARTER) {
      Expression month = new Expression.Extract(Expression.Extract.Part.MONTH, date.expression());
      Expression shifted = new Expression.Arithmetic(Operator.ADD, month, Literal.of(2L));
      return new TypedExpression(
          new Expression.Arithmetic(Operator.DIVIDE, shifted, Literal.of(3L)), SimpleType.INT64);
    }
    Expression.Extract.Part part =
        switch (range) {
          case YEAR -> Expression.Extract.Part.YEAR;
          case MONTH -> Expression.Extract.Part.MONTH;
          case DAY -> Expression.Extract.Part.DAY;
          default -> throw new UnsupportedExpressionException(call.toString());
        };
    return new TypedExpression(new Expression.Extract(part, date.expression()), SimpleType.INT64);
  }

  /** A pattern of SQL, which is a constant, as its escape is. */
  static TypedExpression like(RexCall call, TypedExpression text)
      throws UnsupportedExpressionException {
    List<RexNode> operands = call.getOperands();
    List<String> texts = new ArrayList<>();
    for (RexNode operand : operands.subList(1, operands.size())) {
      if (operand instanceof RexLiteral literal && Literals.isText(literal)) {
        texts.add(literal.getValueAs(String.class));
      }
    }
    boolean escaped = texts.size() == 2 && texts.get(1).length() == 1;
    // NOT LIKE is a NOT around a LIKE by now; an operator of its own is another dialect's.
    if (!call.getOperator().equals(SqlStdOperatorTable.LIKE)
        || texts.size() != operands.size() - 1
        || (texts.size() == 2 && !escaped)) {
      throw new UnsupportedExpressionException(call.toString());
    }
    return ExpressionConverter.bool(
        new Expression.Like(
            text.expression(),
            texts.get(0),
            escaped ? Optional.of(texts.get(1).charAt(0)) : Optional.empty()));
  }
}
