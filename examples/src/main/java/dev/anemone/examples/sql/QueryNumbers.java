// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads what {@code --query} names: {@code 6}, {@code 1,3,5-7} or {@code all}. */
public final class QueryNumbers {
  /** What {@code --query} calls all of them. */
  private static final String EVERY = "all";

  private static final Pattern RANGE = Pattern.compile("([0-9]{1,3})(?:([a-z])|-([0-9]{1,3}))?");

  private QueryNumbers() {}

  /**
   * Finds queries.
   *
   * @param all the queries, the last one with the greatest number
   * @param numbered the queries of a number, none if there is no such number
   * @return the queries in the order in which they are named, at least one
   * @throws IllegalArgumentException if the text has another form, or names a query that does not
   *     exist
   */
  public static <Q extends BenchmarkQuery> List<Q> parse(
      String text, List<Q> all, IntFunction<List<Q>> numbered) {
    if (text.equals(EVERY)) {
      return all;
    }
    List<Q> queries = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      Matcher range = RANGE.matcher(part);
      if (!range.matches()) {
        throw unknown(text, all, "'" + part + "' is neither a number nor a range of them");
      }
      int first = Integer.parseInt(range.group(1));
      if (range.group(2) != null) {
        queries.add(
            numbered.apply(first).stream()
                .filter(query -> query.name().equals(part))
                .findFirst()
                .orElseThrow(() -> unknown(text, all, "there is no query " + part)));
        continue;
      }
      int last = range.group(3) == null ? first : Integer.parseInt(range.group(3));
      if (first > last) {
        throw unknown(text, all, "the range '" + part + "' is empty");
      }
      for (int number = first; number <= last; number++) {
        List<Q> found = numbered.apply(number);
        if (found.isEmpty()) {
          throw unknown(text, all, "there is no query " + number);
        }
        queries.addAll(found);
      }
    }
    return List.copyOf(queries);
  }

  private static IllegalArgumentException unknown(
      String text, List<? extends BenchmarkQuery> all, String reason) {
    return new IllegalArgumentException(
        "--query="
            + text
            + ": "
            + reason
            + ". Give numbers from 1 to "
            + all.get(all.size() - 1).name()
            + ", such as 6 or 1,3,5-7, or "
            + EVERY
            + ".");
  }

  /**
   * The only one of the queries that a text named.
   *
   * @throws IllegalArgumentException if there are several
   */
  public static <Q> Q single(String text, List<Q> queries) {
    if (queries.size() > 1) {
      throw new IllegalArgumentException(
          "--query=" + text + ": a plan is that of one query. Give one number.");
    }
    return queries.get(0);
  }
}
