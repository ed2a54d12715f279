// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational;

import java.util.Locale;

/** How the values of a group become one. Null values are left out. */
public enum AggregateFunction {
  /**
   * The sum; null when there is no value. Of whole numbers an int64, of decimals a decimal of
   * {@link DecimalType#MAX_PRECISION} digits; what does not fit is an error.
   */
  SUM,
  /** How many rows, or how many values of a column. */
  COUNT,
  /** The smallest value; null when there is none. */
  MIN,
  /** The largest value; null when there is none. */
  MAX,
  /**
   * The mean; null when there is no value. Of doubles a double; of whole numbers and decimals a
   * decimal with at least {@value #MEAN_SCALE} digits after the point, rounded half away from zero.
   */
  AVG,
  /**
   * The value of the only row, which may be null; null when there is no row, and an error when
   * there are several. It cannot be divided into halves.
   */
  SINGLE_VALUE;

  /** Fewest digits after the point of a mean that is a decimal. */
  public static final int MEAN_SCALE = 6;

  /** The name in a plan. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
