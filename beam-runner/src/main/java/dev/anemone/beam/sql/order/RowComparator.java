// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.order;

import dev.anemone.beam.sql.row.ValueOrder;
import java.io.Serializable;
import java.util.Comparator;
import java.util.List;
import org.apache.beam.sdk.values.Row;

/** Orders rows as an {@code ORDER BY} does. Thread-safe. */
public final class RowComparator implements Comparator<Row>, Serializable {

  private static final long serialVersionUID = 1L;

  private final int[] columns;
  private final boolean[] descending;
  private final boolean[] nullsFirst;

  public RowComparator(List<ResultOrder.Key> keys) {
    columns = new int[keys.size()];
    descending = new boolean[keys.size()];
    nullsFirst = new boolean[keys.size()];
    for (int i = 0; i < columns.length; i++) {
      ResultOrder.Key key = keys.get(i);
      columns[i] = key.index();
      descending[i] = key.descending();
      nullsFirst[i] = key.nullsFirst();
    }
  }

  @Override
  public int compare(Row left, Row right) {
    for (int i = 0; i < columns.length; i++) {
      int order = compare(left.getValue(columns[i]), right.getValue(columns[i]), i);
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  /** The opposite order, which can be serialized, too. */
  public Reverse reverse() {
    return new Reverse(this);
  }

  record Reverse(RowComparator order) implements Comparator<Row>, Serializable {

    @Override
    public int compare(Row left, Row right) {
      return order.compare(right, left);
    }
  }

  private int compare(Object left, Object right, int key) {
    if (left == null || right == null) {
      return left == right ? 0 : (left == null) == nullsFirst[key] ? -1 : 1;
    }
    int order = ValueOrder.compare(left, right);
    return descending[key] ? -order : order;
  }
}
