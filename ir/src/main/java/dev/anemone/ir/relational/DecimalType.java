// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational;

/**
 * Decimal numbers, exact; what does not fit is an error.
 *
 * @param precision digits in all, 1 to {@value #MAX_PRECISION}
 * @param scale digits after the point, 0 to the precision
 */
public record DecimalType(int precision, int scale) implements DataType {

  /** Most digits of a decimal, those of a 128-bit integer. */
  public static final int MAX_PRECISION = 38;

  public DecimalType {
    if (precision < 1 || precision > MAX_PRECISION || scale < 0 || scale > precision) {
      throw new InvalidPlanException(
          "there is no type decimal("
              + precision
              + ","
              + scale
              + "): the precision is 1 to "
              + MAX_PRECISION
              + ", the scale 0 to the precision");
    }
  }

  /** Digits before the point. */
  public int integerDigits() {
    return precision - scale;
  }

  @Override
  public String text() {
    return "decimal(" + precision + "," + scale + ")";
  }

  @Override
  public String toString() {
    return text();
  }
}
