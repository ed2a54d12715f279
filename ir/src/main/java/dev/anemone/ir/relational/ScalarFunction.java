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
  ABS,
  /** How many code points a text has: an int32. */
  CHAR_LENGTH,
  /** Where the first text begins in the second, in code points from 1: an int32, 0 if not. */
  POSITION,
  /** A text without the characters of another one, a literal, at both ends. */
  TRIM,
  /** The same at the start. */
  TRIM_START,
  /** The same at the end. */
  TRIM_END,
  /** The largest whole number that is not above a double, as a double. */
  FLOOR,
  /** The smallest whole number that is not below a double, as a double. */
  CEIL;

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
        require(areTexts(arguments), call, "needs two texts");
        yield SimpleType.STRING;
      }
      case ABS -> {
        require(arguments.size() == 1 && arguments.get(0).isNumeric(), call, "needs one number");
        yield arguments.get(0);
      }
      case CHAR_LENGTH -> {
        require(arguments.equals(List.of(SimpleType.STRING)), call, "needs one text");
        yield SimpleType.INT32;
      }
      case POSITION -> {
        require(areTexts(arguments), call, "needs two texts");
        yield SimpleType.INT32;
      }
      case TRIM, TRIM_START, TRIM_END -> {
        require(
            areTexts(arguments) && areCharacters(call.arguments().get(1)),
            call,
            "needs a text and a literal of characters");
        yield SimpleType.STRING;
      }
      case FLOOR, CEIL -> {
        require(arguments.equals(List.of(SimpleType.DOUBLE)), call, "needs one double");
        yield SimpleType.DOUBLE;
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

  private static boolean areTexts(List<DataType> types) {
    return types.equals(List.of(SimpleType.STRING, SimpleType.STRING));
  }

  private static boolean areCharacters(Expression expression) {
    return expression instanceof Literal literal
        && literal.value().orElse("") instanceof String text
        && !text.isEmpty()
        && text.codePoints().noneMatch(each -> Character.getType(each) == Character.SURROGATE);
  }

  private static void require(boolean condition, Expression.Call call, String what) {
    if (!condition) {
      throw new InvalidPlanException(Texts.shortened(ExpressionText.of(call)) + " " + what);
    }
  }
}
