// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.row;

import java.util.Arrays;

/**
 * How SQL orders values of one type, in rows as in columns: texts by code points, NaN behind all
 * other numbers and equal to itself, both zeros equal. Generated code calls it, which is why it is
 * public.
 */
public final class ValueOrder {

  private ValueOrder() {}

  /** Compares two values of the same column, neither of them null. */
  @SuppressWarnings("unchecked") // values of one column are of one class
  public static int compare(Object left, Object right) {
    if (left instanceof String text) {
      return compareTexts(text, (String) right);
    } else if (left instanceof Double number) {
      return compareDoubles(number, (Double) right);
    } else if (left instanceof Float number) {
      return compareDoubles(number, (Float) right);
    } else if (left instanceof byte[] bytes) {
      return Arrays.compareUnsigned(bytes, (byte[]) right);
    }
    return Integer.signum(((Comparable<Object>) left).compareTo(right));
  }

  /** Compares texts by code points. */
  public static int compareTexts(String left, String right) {
    return dev.anemone.ndp.rows.ValueOrder.compareTexts(left, right);
  }

  private static int compareDoubles(double left, double right) {
    // Adding zero makes a negative zero a positive one.
    return Double.compare(left + 0.0, right + 0.0);
  }

  /** Whether two doubles are equal. */
  public static boolean areEqual(double left, double right) {
    return left == right || (Double.isNaN(left) && Double.isNaN(right));
  }

  /** Whether the first of two doubles is the smaller one. */
  public static boolean isLess(double left, double right) {
    return left < right || (Double.isNaN(right) && !Double.isNaN(left));
  }
}
