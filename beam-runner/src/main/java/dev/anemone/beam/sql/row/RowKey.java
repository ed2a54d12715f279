// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.row;

import java.util.Arrays;
import java.util.Objects;

/**
 * The values by which rows are grouped or joined. Two keys are equal when SQL's IS NOT DISTINCT
 * FROM says so of each value, which is why values are made by {@link KeyColumn#normalized}.
 * Immutable and thread-safe; the hash is computed once.
 */
public final class RowKey {
  private final Object[] values;
  private final int hash;

  /**
   * A key.
   *
   * @param values normalized; the key takes them over
   */
  RowKey(Object[] values) {
    this.values = values;
    this.hash = hash(values);
  }

  private static int hash(Object[] values) {
    int hash = 1;
    for (Object value : values) {
      hash =
          31 * hash
              + (value instanceof byte[] bytes ? Arrays.hashCode(bytes) : Objects.hashCode(value));
    }
    return hash;
  }

  /** The number of values. */
  public int size() {
    return values.length;
  }

  /** A value as it stands in a row; null for NULL. */
  public Object value(int index) {
    return values[index];
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || (other instanceof RowKey that && hash == that.hash && hasSameValues(that));
  }

  private boolean hasSameValues(RowKey that) {
    if (values.length != that.values.length) {
      return false;
    }
    for (int i = 0; i < values.length; i++) {
      // Short texts and dates are often the same object, which saves a call.
      if (values[i] != that.values[i] && !isSame(values[i], that.values[i])) {
        return false;
      }
    }
    return true;
  }

  private static boolean isSame(Object value, Object other) {
    return value instanceof byte[] bytes
        ? other instanceof byte[] others && Arrays.equals(bytes, others)
        : Objects.equals(value, other);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public String toString() {
    return Arrays.toString(values);
  }
}
