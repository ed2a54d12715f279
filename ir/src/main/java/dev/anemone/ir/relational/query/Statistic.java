// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational.query;

import dev.anemone.ir.relational.Expression;
import dev.anemone.ir.relational.ExpressionText;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.InvalidPlanException;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.SimpleType;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What the values of a group are like: computed of all of them at once, and never of halves. Null
 * values are left out, and where there is no value the result is null.
 */
public sealed interface Statistic {

  /** The name of its column. */
  String name();

  /** A column of booleans: rows where it is not true are left out. */
  Optional<String> filter();

  /** Its column, of a group of such rows. */
  Field field(RowType input);

  /** The statistic as text, for example {@code stddev_pop(price) as s}. */
  String text();

  /**
   * The value below which a part of the values lie.
   *
   * @param column whose values are ordered; doubles where it is continuous
   * @param continuous whether it may lie between two values, and not only be one of them
   * @param fraction of the values, from 0 to 1
   * @param descending whether large values come first
   */
  record Quantile(
      String name,
      String column,
      boolean continuous,
      double fraction,
      boolean descending,
      Optional<String> filter)
      implements Statistic {
    public Quantile {
      Objects.requireNonNull(name, "name");
      Objects.requireNonNull(column, "column");
      Objects.requireNonNull(filter, "filter");
      if (!(fraction >= 0 && fraction <= 1)) {
        throw new InvalidPlanException(
            "the fraction of a quantile is " + fraction + "; it lies between 0 and 1");
      }
    }

    @Override
    public Field field(RowType input) {
      var type = input.field(column).type().type();
      if (continuous ? type != SimpleType.DOUBLE : type == SimpleType.BOOLEAN) {
        throw new InvalidPlanException(
            text()
                + " is of a "
                + type
                + (continuous ? "; a double is needed" : "; booleans have no order"));
      }
      return Field.nullable(name, type);
    }

    @Override
    public String text() {
      return (continuous ? "percentile_cont(" : "percentile_disc(")
          + fraction
          + ") of "
          + shown(column)
          + (descending ? " desc" : "")
          + " as "
          + shown(name)
          + where(filter);
    }
  }

  /**
   * How much the values differ, or how two columns differ together in the rows where neither is
   * null; a double. Not a number where a value is infinite or not a number.
   *
   * @param columns as many doubles as the function takes
   * @param distinct whether each value counts once
   */
  record Spread(
      String name,
      SpreadFunction function,
      List<String> columns,
      boolean distinct,
      Optional<String> filter)
      implements Statistic {
    public Spread {
      Objects.requireNonNull(name, "name");
      Objects.requireNonNull(function, "function");
      Objects.requireNonNull(filter, "filter");
      columns = List.copyOf(columns);
      if (columns.size() != function.columns()) {
        throw new InvalidPlanException(
            "a "
                + function.text()
                + " is of "
                + function.columns()
                + " columns, not of "
                + columns.size());
      }
    }

    @Override
    public Field field(RowType input) {
      for (String column : columns) {
        if (input.field(column).type().type() != SimpleType.DOUBLE) {
          throw new InvalidPlanException(
              text() + " is of a " + input.field(column).type().type() + "; a double is needed");
        }
      }
      return Field.nullable(name, SimpleType.DOUBLE);
    }

    @Override
    public String text() {
      return function.text()
          + "("
          + (distinct ? "distinct " : "")
          + columns.stream().map(Statistic::shown).collect(Collectors.joining(", "))
          + ") as "
          + shown(name)
          + where(filter);
    }
  }

  private static String where(Optional<String> filter) {
    return filter.map(column -> " where " + shown(column)).orElse("");
  }

  private static String shown(String column) {
    return ExpressionText.of(new Expression.Column(column));
  }
}
