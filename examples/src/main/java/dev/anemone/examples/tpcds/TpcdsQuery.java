// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.tpcds;

import dev.anemone.examples.sql.BenchmarkQuery;
import dev.anemone.examples.sql.QueryNumbers;
import dev.anemone.examples.sql.SqlText;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A TPC-DS query. Its text is a resource file.
 *
 * @param number the number in the TPC-DS specification
 * @param part which of its two statements, {@code a} or {@code b}; empty where there is one
 */
public record TpcdsQuery(int number, String part) implements BenchmarkQuery {
  private static final Set<Integer> OF_TWO_STATEMENTS = Set.of(14, 23, 24, 39);
  private static final int LAST = 99;

  /** All 103 statements of the 99 queries, by number. */
  public static final List<TpcdsQuery> ALL =
      IntStream.rangeClosed(1, LAST).boxed().flatMap(TpcdsQuery::statements).toList();

  private static Stream<TpcdsQuery> statements(int number) {
    return (OF_TWO_STATEMENTS.contains(number) ? Stream.of("a", "b") : Stream.of(""))
        .map(part -> new TpcdsQuery(number, part));
  }

  /**
   * Finds the queries that an option names, such as {@code 3}, {@code 14a}, {@code 1,3,5-7} or
   * {@code all}. The number of a query of two statements names both.
   *
   * @return the queries in the order in which they are named, at least one
   * @throws IllegalArgumentException if the text has another form, or names a query that does not
   *     exist
   */
  public static List<TpcdsQuery> parse(String text) {
    return QueryNumbers.parse(
        text, ALL, number -> ALL.stream().filter(query -> query.number == number).toList());
  }

  @Override
  public String name() {
    return number + part;
  }

  @Override
  public String label() {
    return String.format(Locale.ROOT, "q%02d%s", number, part);
  }

  /** The text. */
  public String sql() {
    return SqlText.find(TpcdsQuery.class, label() + ".sql")
        .orElseThrow(
            () -> new IllegalStateException("The class path lacks the text of " + label() + "."));
  }
}
