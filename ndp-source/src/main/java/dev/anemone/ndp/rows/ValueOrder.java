// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.rows;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Comparator;

/** How values of one type are ordered: strings by code points, NaN last, both zeros equal. */
public final class ValueOrder implements Comparator<Object> {

  /** The order; without state. */
  public static final ValueOrder INSTANCE = new ValueOrder();

  private ValueOrder() {}

  @Override
  public int compare(Object left, Object right) {
    if (left instanceof Boolean x) {
      return x.compareTo((Boolean) right);
    } else if (left instanceof Integer x) {
      return x.compareTo((Integer) right);
    } else if (left instanceof Long x) {
      return x.compareTo((Long) right);
    } else if (left instanceof BigDecimal x) {
      return x.compareTo((BigDecimal) right);
    } else if (left instanceof Double x) {
      // Adding zero makes a negative zero a positive one.
      return Double.compare(x + 0.0, (Double) right + 0.0);
    } else if (left instanceof LocalDate x) {
      return x.compareTo((LocalDate) right);
    } else if (left instanceof LocalDateTime x) {
      return x.compareTo((LocalDateTime) right);
    }
    return compareTexts((String) left, (String) right);
  }

  /** Like {@link String#compareTo}, but a surrogate pair is one character, larger than others. */
  public static int compareTexts(String left, String right) {
    int length = Math.min(left.length(), right.length());
    for (int i = 0; i < length; i++) {
      char x = left.charAt(i);
      char y = right.charAt(i);
      if (x != y) {
        return Character.isSurrogate(x) == Character.isSurrogate(y)
            ? Character.compare(x, y)
            : Boolean.compare(Character.isSurrogate(x), Character.isSurrogate(y));
      }
    }
    return Integer.compare(left.length(), right.length());
  }
}
