// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.tables;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.beam.sdk.values.Row;

/**
 * Compares rows with those of DuckDB: sums, counts, keys, dates and texts exactly, and what DuckDB
 * itself computes in floating point (averages and quotients) to a relative error of 1e-6.
 */
public final class Answers {
  private static final double FLOATING_POINT_ERROR = 1e-6;

  private Answers() {}

  /** The rows are the same, however often each occurs, in any order. */
  public static void assertSameRows(List<Row> actual, List<List<Object>> expected) {
    assertThat(assertAmong(actual, expected)).as("rows of DuckDB that are missing").isEmpty();
  }

  /**
   * The rows are some of others, each as often as it occurs there at most.
   *
   * @return the others
   */
  public static List<List<Object>> assertAmong(List<Row> actual, List<List<Object>> expected) {
    List<List<Object>> left = new ArrayList<>(expected);
    for (Row row : actual) {
      assertThat(removeSame(left, row.getValues()))
          .as("DuckDB has %s; its rows that were not given: %s", row.getValues(), left)
          .isTrue();
    }
    return left;
  }

  private static boolean removeSame(List<List<Object>> rows, List<Object> wanted) {
    for (Iterator<List<Object>> candidates = rows.iterator(); candidates.hasNext(); ) {
      if (same(wanted, candidates.next())) {
        candidates.remove();
        return true;
      }
    }
    return false;
  }

  private static boolean same(List<Object> actual, List<Object> expected) {
    if (actual.size() != expected.size()) {
      return false;
    }
    for (int column = 0; column < actual.size(); column++) {
      if (!same(actual.get(column), expected.get(column))) {
        return false;
      }
    }
    return true;
  }

  /** Whether two values are the same. */
  public static boolean same(Object actual, Object expected) {
    if (actual == null || expected == null) {
      return actual == expected;
    }
    if (expected instanceof Double number) {
      return Math.abs(((Number) actual).doubleValue() - number)
          <= Math.abs(number) * FLOATING_POINT_ERROR;
    }
    if (expected instanceof Number) {
      return new BigDecimal(actual.toString()).compareTo(new BigDecimal(expected.toString())) == 0;
    }
    return actual.equals(expected);
  }
}
