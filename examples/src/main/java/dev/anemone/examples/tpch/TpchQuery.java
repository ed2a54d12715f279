// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.tpch;

import static dev.anemone.examples.sql.SortKey.ascending;
import static dev.anemone.examples.sql.SortKey.descending;

import dev.anemone.examples.sql.SortKey;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A TPC-H query with the validation parameters of the specification. Its text is a resource file,
 * whose comments say what differs from the standard text and why.
 *
 * @param number the number in the TPC-H specification
 * @param orderBy the query's ORDER BY, which the client applies to the rows of the result
 */
public record TpchQuery(int number, List<SortKey> orderBy) {

  /** All queries, by number. */
  public static final List<TpchQuery> ALL =
      List.of(
          new TpchQuery(1, ascending("l_returnflag"), ascending("l_linestatus")),
          new TpchQuery(
              2,
              descending("s_acctbal"),
              ascending("n_name"),
              ascending("s_name"),
              ascending("p_partkey")),
          new TpchQuery(3, descending("revenue"), ascending("o_orderdate")),
          new TpchQuery(4, ascending("o_orderpriority")),
          new TpchQuery(5, descending("revenue")),
          new TpchQuery(6),
          new TpchQuery(7, ascending("supp_nation"), ascending("cust_nation"), ascending("l_year")),
          new TpchQuery(8, ascending("o_year")),
          new TpchQuery(9, ascending("nation"), descending("o_year")),
          new TpchQuery(10, descending("revenue")),
          new TpchQuery(11, descending("part_value")),
          new TpchQuery(12, ascending("l_shipmode")),
          new TpchQuery(13, descending("custdist"), descending("c_count")),
          new TpchQuery(14),
          new TpchQuery(15, ascending("s_suppkey")),
          new TpchQuery(
              16,
              descending("supplier_cnt"),
              ascending("p_brand"),
              ascending("p_type"),
              ascending("p_size")),
          new TpchQuery(17),
          new TpchQuery(18, descending("o_totalprice"), ascending("o_orderdate")),
          new TpchQuery(19),
          new TpchQuery(20, ascending("s_name")),
          new TpchQuery(21, descending("numwait"), ascending("s_name")),
          new TpchQuery(22, ascending("cntrycode")));

  /** What {@code --query} calls all of them. */
  private static final String EVERY = "all";

  private static final Pattern RANGE = Pattern.compile("([0-9]{1,3})(?:-([0-9]{1,3}))?");

  public TpchQuery {
    orderBy = List.copyOf(orderBy);
  }

  private TpchQuery(int number, SortKey... orderBy) {
    this(number, List.of(orderBy));
  }

  /**
   * Finds the queries that an option names, such as {@code 6}, {@code 1,3,5-7} or {@code all}.
   *
   * @return the queries in the order in which they are named, at least one
   * @throws IllegalArgumentException if the text has another form, or names a query that does not
   *     exist
   */
  public static List<TpchQuery> parse(String text) {
    if (text.equals(EVERY)) {
      return ALL;
    }
    List<TpchQuery> queries = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      Matcher range = RANGE.matcher(part);
      if (!range.matches()) {
        throw unknown(text, "'" + part + "' is neither a number nor a range of them");
      }
      int first = Integer.parseInt(range.group(1));
      int last = range.group(2) == null ? first : Integer.parseInt(range.group(2));
      if (first > last) {
        throw unknown(text, "the range '" + part + "' is empty");
      }
      for (int number = first; number <= last; number++) {
        queries.add(find(number, text));
      }
    }
    return List.copyOf(queries);
  }

  /**
   * Finds a query.
   *
   * @throws IllegalArgumentException if there is none of this number; the message says which there
   *     are
   */
  public static TpchQuery byNumber(int number) {
    return find(number, String.valueOf(number));
  }

  private static TpchQuery find(int number, String text) {
    return ALL.stream()
        .filter(query -> query.number == number)
        .findFirst()
        .orElseThrow(() -> unknown(text, "there is no query " + number));
  }

  private static IllegalArgumentException unknown(String text, String reason) {
    return new IllegalArgumentException(
        "--query="
            + text
            + ": "
            + reason
            + ". Give numbers from 1 to "
            + ALL.size()
            + ", such as 6 or 1,3,5-7, or "
            + EVERY
            + ".");
  }

  /** What messages and files call it: {@code q06}. */
  public String label() {
    return String.format(Locale.ROOT, "q%02d", number);
  }

  /** The text for {@code AnemoneQueryPlanner}. */
  public String sql() {
    return text(label() + ".sql")
        .orElseThrow(
            () -> new IllegalStateException("The class path lacks the text of " + label() + "."));
  }

  /** A text that means the same, for what Beam SQL's own planner can do. */
  public String sqlForBeamPlanner() {
    return text("beam/" + label() + ".sql").orElseGet(this::sql);
  }

  private static Optional<String> text(String resource) {
    try (InputStream in = TpchQuery.class.getResourceAsStream(resource)) {
      return in == null
          ? Optional.empty()
          : Optional.of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException notReadable) {
      throw new UncheckedIOException(notReadable);
    }
  }
}
