// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational.query;

import dev.anemone.ir.relational.InvalidPlanException;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a {@link WindowFunction} is of.
 *
 * @param column whose values it takes; empty for a count of rows, and for a place in the order
 * @param number the distance of {@code lag} and {@code lead}, in rows; the parts of {@code ntile};
 *     the row of {@code nth_value}, from 1
 * @param ignoresNulls whether rows are passed over where the column is null
 */
public record WindowArguments(Optional<String> column, OptionalLong number, boolean ignoresNulls) {

  /** No arguments. */
  public static final WindowArguments NONE =
      new WindowArguments(Optional.empty(), OptionalLong.empty(), false);

  public WindowArguments {
    Objects.requireNonNull(column, "column");
    Objects.requireNonNull(number, "number");
  }

  /** The values of a column. */
  public static WindowArguments of(String column) {
    return new WindowArguments(Optional.of(column), OptionalLong.empty(), false);
  }

  /** Checks that a function takes them. */
  void check(WindowFunction function) {
    WindowFunction.Kind kind = function.kind();
    if (column.isPresent() ? !kind.hasColumn() : kind.needsColumn()) {
      throw new InvalidPlanException(
          "a " + function.text() + " is of " + (column.isPresent() ? "no" : "a") + " column");
    }
    if (number.isPresent() != kind.hasNumber()) {
      throw new InvalidPlanException(
          "a " + function.text() + " has " + (number.isPresent() ? "no" : "a") + " number");
    }
    long least = kind == WindowFunction.Kind.NEIGHBOUR ? 0 : 1;
    if (number.isPresent() && number.getAsLong() < least) {
      throw new InvalidPlanException(
          "the number of a "
              + function.text()
              + " is "
              + number.getAsLong()
              + "; at least "
              + least
              + " can be");
    }
    if (ignoresNulls && !kind.hasValue()) {
      throw new InvalidPlanException("a " + function.text() + " passes no nulls over");
    }
  }
}
