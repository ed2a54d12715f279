// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.codegen;

import dev.anemone.ir.relational.ScalarFunction;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Operations on decimals; generated code calls them, which is why they are public. */
public final class Decimals {
  /** An average has at least this many digits, and at least half as many behind the point. */
  private static final int AVERAGE_DIGITS = 20;

  private Decimals() {}

  /**
   * The quotient with {@value ScalarFunction#QUOTIENT_SCALE} digits after the point, rounded half
   * away from zero, as the columnar engine gives it; without zeros at its end that neither side
   * has.
   *
   * @throws ArithmeticException if the divisor is zero
   */
  public static BigDecimal divide(BigDecimal dividend, BigDecimal divisor) {
    if (divisor.signum() == 0) {
      throw new ArithmeticException("division of " + dividend + " by zero");
    }
    BigDecimal quotient =
        dividend
            .divide(divisor, ScalarFunction.QUOTIENT_SCALE, RoundingMode.HALF_UP)
            .stripTrailingZeros();
    int least = Math.max(0, dividend.scale() - divisor.scale());
    return quotient.scale() < least ? quotient.setScale(least) : quotient;
  }

  /** The average of {@code count} values, more than none, whose sum is {@code sum}. */
  public static BigDecimal average(BigDecimal sum, long count) {
    int digits = Math.max(AVERAGE_DIGITS, sum.precision() - sum.scale() + AVERAGE_DIGITS / 2);
    return sum.divide(BigDecimal.valueOf(count), new MathContext(digits, RoundingMode.HALF_UP));
  }

  /**
   * The value as one of {@code DECIMAL(precision, scale)}, rounded half up.
   *
   * @throws ArithmeticException if it has too many digits before the point
   */
  public static BigDecimal fit(BigDecimal value, int precision, int scale) {
    BigDecimal rounded = value.setScale(scale, RoundingMode.HALF_UP);
    if (rounded.precision() > precision) {
      throw new ArithmeticException(
          value + " is out of the range of DECIMAL(" + precision + ", " + scale + ")");
    }
    return rounded;
  }
}
