// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.random;

import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * What generators of random SQL have in common.
 *
 * @param <T> the kinds of values
 */
public abstract class RandomSql<T> {

  /** Sub-queries and expressions are nested so deep. */
  protected static final int MOST_DEPTH = 2;

  /** A column that may be read. */
  public record Column<T>(String name, T type) {}

  protected final Random random;

  protected RandomSql(long seed) {
    this.random = new Random(seed);
  }

  /** A constant. */
  protected abstract String literal(T type);

  /** The name of a column of a type. */
  protected abstract String column(T type, List<Column<T>> columns);

  /** A condition that compares two values. */
  protected abstract String comparison(List<Column<T>> columns);

  /** A value. */
  protected abstract String value(T type, List<Column<T>> columns, int depth);

  /** Perhaps a value that a condition chooses: each of two kinds one time in so many. */
  protected final Optional<String> chosen(T type, List<Column<T>> columns, int depth, int in) {
    if (chance(in)) {
      return Optional.of(
          "CASE WHEN "
              + comparison(columns)
              + " THEN "
              + value(type, columns, depth + 1)
              + " ELSE "
              + (chance(3) ? "NULL" : value(type, columns, depth + 1))
              + " END");
    }
    return chance(in)
        ? Optional.of("COALESCE(" + value(type, columns, depth + 1) + ", " + literal(type) + ")")
        : Optional.empty();
  }

  /** True one time in so many. */
  protected final boolean chance(int in) {
    return random.nextInt(in) == 0;
  }

  @SafeVarargs
  protected final <V> V oneOf(V... values) {
    return values[random.nextInt(values.length)];
  }
}
