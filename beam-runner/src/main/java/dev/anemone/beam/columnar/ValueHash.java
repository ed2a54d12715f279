// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.columnar;

import java.math.BigDecimal;
import java.util.List;
import org.apache.beam.sdk.values.Row;
import org.joda.time.ReadableInstant;

/**
 * Divides rows by some of their values, those together that are equal in SQL: decimals with other
 * digits, both zeros, and NaN. The same in every process.
 */
final class ValueHash {

  /** Spreads the bits of numbers that follow each other: of Fibonacci hashing (Knuth). */
  private static final int SPREAD = 0x9E3779B9;

  private ValueHash() {}

  /**
   * The part that a row belongs to.
   *
   * @param columns whose values say it
   * @return from 0 to {@code parts - 1}
   */
  static int part(Row row, List<Integer> columns, int parts) {
    int hash = 0;
    for (int column : columns) {
      hash = 31 * hash + of(row.getValue(column));
    }
    int spread = hash * SPREAD;
    return Math.floorMod(spread ^ (spread >>> 16), parts);
  }

  private static int of(Object value) {
    if (value == null) {
      return 0;
    } else if (value instanceof BigDecimal decimal) {
      return decimal.stripTrailingZeros().hashCode();
    } else if (value instanceof Double number) {
      // Adding zero makes -0.0 the other zero.
      return Double.hashCode(number + 0.0);
    } else if (value instanceof ReadableInstant instant) {
      return Long.hashCode(instant.getMillis());
    }
    return value.hashCode();
  }
}
