// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.sql;

import dev.anemone.ir.relational.DecimalType;
import dev.anemone.ir.relational.ScalarFunction;

/**
 * Decimals divided in DuckDB's SQL, whose own quotient of decimals is a double. Both sides become
 * whole numbers of 128 bits, which are divided as by hand: first the whole part, then of what is
 * left all digits after the point at once, with one more to round by.
 *
 * <p>That fits where the divisor, without its point, has at most 21 digits, and the quotient as
 * many before its point; what does not is an error.
 */
final class Quotients {

  /** Digits of a whole number of 64 bits. */
  private static final int LONG_DIGITS = 19;

  private static final int DIGITS = ScalarFunction.QUOTIENT_SCALE + 1;

  private static final DecimalType RESULT =
      new DecimalType(DecimalType.MAX_PRECISION, ScalarFunction.QUOTIENT_SCALE);

  private Quotients() {}

  /** A decimal, in SQL, divided by another; null when one of them is. */
  static String sql(String left, DecimalType leftType, String right, DecimalType rightType) {
    int scale = Math.max(leftType.scale(), rightType.scale());
    String l = whole(left, leftType, scale);
    String r = whole(right, rightType, scale);
    String power = power(DIGITS);
    String digits =
        "((" + l + " // " + r + ") * " + power + " + (" + l + " % " + r + ") * " + power + " // "
            + r + ")";
    return "(CASE WHEN "
        + left
        + " IS NOT NULL AND "
        + right
        + " = 0 THEN error('division by zero') ELSE "
        + SqlText.cast(
            SqlText.cast(digits, new DecimalType(DecimalType.MAX_PRECISION, 0))
                + " * "
                + SqlText.cast(
                    SqlText.string("0." + "0".repeat(DIGITS - 1) + "1"),
                    new DecimalType(DIGITS + 1, DIGITS)),
            RESULT)
        + " END)";
  }

  /** The same of a decimal and a whole number of 64 bits. */
  static String byCount(String left, DecimalType leftType, String count) {
    DecimalType whole = new DecimalType(LONG_DIGITS, 0);
    return sql(left, leftType, SqlText.cast(count, whole), whole);
  }

  /** A decimal, in SQL, without its point when it has so many digits behind it. */
  private static String whole(String decimal, DecimalType type, int scale) {
    // A product of two decimals of 64 bits would have to fit into 64 bits.
    DecimalType wide = new DecimalType(Math.max(type.precision(), LONG_DIGITS), type.scale());
    String shifted =
        scale == 0
            ? decimal
            : "("
                + SqlText.cast(decimal, wide)
                + " * "
                + SqlText.cast(
                    SqlText.string("1" + "0".repeat(scale)), new DecimalType(scale + 1, 0))
                + ")";
    return "CAST(" + shifted + " AS HUGEINT)";
  }

  private static String power(int digits) {
    return "CAST('1" + "0".repeat(digits) + "' AS HUGEINT)";
  }
}
