// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational.query;

import dev.anemone.ir.relational.Expression;
import dev.anemone.ir.relational.ExpressionText;
import java.util.Objects;

/**
 * A column that rows are ordered by.
 *
 * @param column of the rows
 * @param descending whether large values come first
 * @param nullsFirst whether nulls come before all values, whatever the direction
 */
public record SortKey(String column, boolean descending, boolean nullsFirst) {
  public SortKey {
    Objects.requireNonNull(column, "column");
  }

  /** The key as text, for example {@code price desc nulls last}. */
  public String text() {
    return ExpressionText.of(new Expression.Column(column))
        + (descending ? " desc" : "")
        + (nullsFirst ? " nulls first" : " nulls last");
  }
}
