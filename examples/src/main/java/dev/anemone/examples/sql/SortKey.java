// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.sql;

import dev.anemone.beam.sql.order.ResultOrder;
import java.util.Comparator;
import java.util.List;
import org.apache.beam.sdk.values.Row;

/**
 * One term of an ORDER BY: a column of the result, and the direction. Nulls come last, in either
 * direction.
 *
 * @param column name of the column
 * @param descending whether the largest value comes first
 */
public record SortKey(String column, boolean descending) {

  public static SortKey ascending(String column) {
    return new SortKey(column, false);
  }

  public static SortKey descending(String column) {
    return new SortKey(column, true);
  }

  /**
   * Sorts rows by several keys, the first one first. Rows that are equal in all keys keep their
   * order.
   *
   * @throws IllegalArgumentException if the rows have no such column
   * @throws ClassCastException if the values of a column have no order
   */
  public static List<Row> sort(List<Row> rows, List<SortKey> keys) {
    return rows.stream().sorted(comparator(keys)).toList();
  }

  /** Compares rows by several keys, the first one first. */
  public static Comparator<Row> comparator(List<SortKey> keys) {
    Comparator<Row> allEqual = new ResultOrder(List.of()).comparator();
    return keys.stream().map(SortKey::comparator).reduce(allEqual, Comparator::thenComparing);
  }

  @SuppressWarnings("unchecked") // Values of one column are of one class, and comparable if any is.
  private Comparator<Row> comparator() {
    Comparator<Comparable<Object>> values = Comparator.naturalOrder();
    return Comparator.comparing(
        row -> (Comparable<Object>) row.<Object>getValue(column),
        Comparator.nullsLast(descending ? values.reversed() : values));
  }
}
