// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational;

import java.util.Objects;
import java.util.Optional;

/**
 * A column of an aggregate's result.
 *
 * @param name of the result
 * @param function how values become one
 * @param column whose values; empty for a count of rows, and only for that
 */
public record AggregateCall(String name, AggregateFunction function, Optional<String> column) {

  public AggregateCall {
    Objects.requireNonNull(name, "name");
    if (column.isEmpty() && function != AggregateFunction.COUNT) {
      throw new InvalidPlanException(
          "a " + function.text() + " is of no column; only a count can be");
    }
  }

  /** An aggregate of a column. */
  public static AggregateCall of(String name, AggregateFunction function, String column) {
    return new AggregateCall(name, function, Optional.of(column));
  }

  /** A count of rows. */
  public static AggregateCall countRows(String name) {
    return new AggregateCall(name, AggregateFunction.COUNT, Optional.empty());
  }

  /** The call as text, for example {@code sum(price) as revenue}. */
  public String text() {
    return function.text() + "(" + column.map(Texts::name).orElse("*") + ") as " + Texts.name(name);
  }
}
