// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.plan;

import dev.anemone.beam.sql.codegen.CheckedArithmetic;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.type.RelDataType;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexBuilder;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexCall;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexExecutor;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexLiteral;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexUtil;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlKind;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.type.SqlTypeName;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.validate.SqlUserDefinedFunction;

/**
 * Computes constant expressions while a query is planned, where the constant is what the expression
 * would yield in a task. Calcite's executor rounds floating-point numbers and quotients of decimals
 * to sixteen digits, so it gets neither, nor characters beyond the first 65,536, which it takes for
 * two; nor what calls a user's function, which may see that an argument is left out.
 */
public final class ConstantFolding implements RexExecutor {

  @Override
  public void reduce(RexBuilder builder, List<RexNode> constants, List<RexNode> reduced) {
    for (RexNode constant : constants) {
      reduced.add(reduce(builder, constant));
    }
  }

  private static RexNode reduce(RexBuilder builder, RexNode constant) {
    if (SqlTypeUtil.isDecimal(constant.getType())) {
      BigDecimal value = decimal(builder, constant);
      return value == null ? constant : builder.makeExactLiteral(value, constant.getType());
    }
    BigDecimal whole = wholeNumber(builder, constant);
    if (whole != null) {
      return builder.makeExactLiteral(whole, constant.getType());
    }
    if (!isExact(constant)) {
      return constant;
    }
    RexNode checked = constant.accept(new CheckedArithmetic(builder));
    List<RexNode> reduced = new ArrayList<>();
    RexUtil.EXECUTOR.reduce(builder, List.of(checked), reduced);
    // What fails now, such as a number that overflows, is left to fail in a task that reaches it.
    return reduced.get(0).equals(checked) ? constant : reduced.get(0);
  }

  /**
   * Whether Calcite's executor has the exact value: no part of it has a fraction, nor characters of
   * two units of UTF-16, which it counts.
   */
  private static boolean isExact(RexNode constant) {
    boolean known =
        switch (constant.getType().getSqlTypeName()) {
          case BOOLEAN, TINYINT, SMALLINT, INTEGER, BIGINT -> true;
          case CHAR, VARCHAR -> !hasPairs(constant);
          case DATE, TIME, TIMESTAMP, NULL, SYMBOL, SARG -> true;
          default ->
              SqlTypeName.INTERVAL_TYPES.contains(constant.getType().getSqlTypeName())
                  || constant instanceof RexLiteral;
        };
    return known
        && (!(constant instanceof RexCall call)
            || (!(call.getOperator() instanceof SqlUserDefinedFunction)
                && call.getOperands().stream().allMatch(ConstantFolding::isExact)));
  }

  private static boolean hasPairs(RexNode constant) {
    return constant instanceof RexLiteral literal
        && !literal.isNull()
        && literal
            .getValueAs(String.class)
            .chars()
            .anyMatch(unit -> Character.isSurrogate((char) unit));
  }

  /**
   * What a cast of a number to a whole one yields, which loses the fraction, as that of a column
   * does: Calcite's executor would round it as decimals are rounded. Null for anything else, and
   * where it does not fit.
   */
  private static BigDecimal wholeNumber(RexBuilder builder, RexNode constant) {
    if (!(constant instanceof RexCall call)
        || !call.isA(SqlKind.CAST)
        || !SqlTypeUtil.isIntType(call.getType())) {
      return null;
    }
    RexNode operand = operand(call, 0);
    BigDecimal value =
        operand instanceof RexLiteral literal && SqlTypeUtil.isApproximateNumeric(literal.getType())
            ? literal.getValueAs(BigDecimal.class)
            : decimal(builder, operand);
    if (value == null) {
      return null;
    }
    BigDecimal whole = value.setScale(0, RoundingMode.DOWN);
    int bits =
        switch (call.getType().getSqlTypeName()) {
          case TINYINT -> Byte.SIZE;
          case SMALLINT -> Short.SIZE;
          case INTEGER -> Integer.SIZE;
          default -> Long.SIZE;
        };
    return whole.toBigInteger().bitLength() < bits ? whole : null;
  }

  /** The value of sums, differences and products, all digits of it; null for anything else. */
  private static BigDecimal decimal(RexBuilder builder, RexNode constant) {
    if (constant instanceof RexLiteral literal) {
      return SqlTypeUtil.isExactNumeric(literal.getType())
          ? literal.getValueAs(BigDecimal.class)
          : null;
    }
    if (!(constant instanceof RexCall call)) {
      return null;
    }
    BigDecimal first = call.getOperands().isEmpty() ? null : decimal(builder, operand(call, 0));
    if (first == null) {
      return null;
    }
    if (call.isA(SqlKind.MINUS_PREFIX)) {
      return first.negate();
    }
    if (call.isA(SqlKind.CAST)) {
      return fits(first, call.getType()) ? first : null;
    }
    BigDecimal second = call.getOperands().size() == 2 ? decimal(builder, operand(call, 1)) : null;
    if (second == null || !SqlTypeUtil.isDecimal(call.getType())) {
      return null;
    }
    return switch (call.getKind()) {
      case PLUS -> first.add(second);
      case MINUS -> first.subtract(second);
      case TIMES -> first.multiply(second);
      default -> null;
    };
  }

  /** Whether a cast to a type loses no digits. */
  private static boolean fits(BigDecimal value, RelDataType type) {
    return SqlTypeUtil.isDecimal(type)
        && value.scale() <= type.getScale()
        && value.precision() - value.scale() <= type.getPrecision() - type.getScale();
  }

  private static RexNode operand(RexCall call, int index) {
    return call.getOperands().get(index);
  }
}
