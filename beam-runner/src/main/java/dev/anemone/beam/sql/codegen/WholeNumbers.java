// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.codegen;

/**
 * Operations on whole numbers that fail where {@link Math} has none that do; generated code calls
 * them, which is why they are public.
 */
public final class WholeNumbers {
  private WholeNumbers() {}

  /**
   * The number itself.
   *
   * @throws ArithmeticException if it is out of the range of a SMALLINT
   */
  public static int smallint(int number) {
    if (number != (short) number) {
      throw new ArithmeticException("smallint overflow");
    }
    return number;
  }

  /**
   * The number itself.
   *
   * @throws ArithmeticException if it is out of the range of a TINYINT
   */
  public static int tinyint(int number) {
    if (number != (byte) number) {
      throw new ArithmeticException("tinyint overflow");
    }
    return number;
  }

  /**
   * The quotient without its fraction.
   *
   * @throws ArithmeticException if the divisor is zero, or the least number is divided by -1
   */
  public static int divide(int dividend, int divisor) {
    return divisor == -1 ? Math.negateExact(dividend) : dividend / divisor;
  }

  /** As {@link #divide(int, int)}. */
  public static long divide(long dividend, long divisor) {
    return divisor == -1 ? Math.negateExact(dividend) : dividend / divisor;
  }
}
