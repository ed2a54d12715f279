// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational;

import java.util.List;
import java.util.Locale;

/** Functions of single values. All give null where an argument is null. */
public enum ScalarFunction {
  /**
   * A decimal divided by another: a decimal with {@value #QUOTIENT_SCALE} digits after the point,
   * rounded half away from zero. A division by zero is an error, and so is a quotient that does not
   * fit.
   */
  QUOTIENT,
  /**
   * The part of a text from a position, the first being 1, of a number of code points: two literals
   * of int32, of which the second may be missing for the rest of the text.
   */
  SUBSTRING,
  /** Two texts in a row. */
  CONCAT,
  /** A number without its sign; what does not fit is an error. */
  ABS;

  /** Digits after the point of a quotient. */
  public static final int QUOTIENT_SCALE = 16;

  /** The name in a plan. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * What the function gives for arguments of these types.
   *
   * @throws InvalidPlanException when it takes no such arguments
   */
  DataType typeOf(Expression.Call call, List<DataType> arguments) {
    return switch (this) {
      case QUOTIENT -> {
        require(
            arguments.size() == 2 && arguments.stream().allMatch(DecimalType.class::isInstance),
            call,
            "needs two decimals");
        yield new DecimalType(DecimalType.MAX_PRECISION, QUOTIENT_SCALE);
      }
      case SUBSTRING -> {
        require(isSubstring(call, arguments), call, "needs a text and positions that are literals");
        yield SimpleType.STRING;
      }
      case CONCAT -> {
        require(
            arguments.equals(List.of(SimpleType.STRING, SimpleType.STRING)),
            call,
            "needs two texts");
        yield SimpleType.STRING;
      }
      case ABS -> {
        require(arguments.size() == 1 && arguments.get(0).isNumeric(), call, "needs one number");
        yield arguments.get(0);
      }
    };
  }

  private static boolean isSubstring(Expression.Call call, List<DataType> types) {
    return (types.size() == 2 || types.size() == 3)
        && types.get(0) == SimpleType.STRING
        && isNumber(call.arguments().get(1), 1)
        && (types.size() == 2 || isNumber(call.arguments().get(2), 0));
  }

  private static boolean isNumber(Expression expression, int least) {
    return expression instanceof Literal literal
        && literal.type() == SimpleType.INT32
        && literal.value().map(value -> ((Number) value).intValue() >= least).orElse(false);
  }

  private static void require(boolean condition, Expression.Call call, String what) {
    if (!condition) {
      throw new InvalidPlanException(Texts.shortened(ExpressionText.of(call)) + " " + what);
    }
  }
}
