// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.tpch;

import static dev.anemone.examples.sql.SortKey.ascending;
import static dev.anemone.examples.sql.SortKey.descending;

import dev.anemone.examples.sql.BenchmarkQuery;
import dev.anemone.examples.sql.QueryNumbers;
import dev.anemone.examples.sql.SortKey;
import dev.anemone.examples.sql.SqlText;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A TPC-H query with the validation parameters of the specification. Its text is a resource file,
 * whose comments say what differs from the standard text and why.
 *
 * @param number the number in the TPC-H specification
 * @param orderBy the query's ORDER BY, which the client applies to the rows of the result
 */
public record TpchQuery(int number, List<SortKey> orderBy) implements BenchmarkQuery {

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
    return QueryNumbers.parse(
        text, ALL, number -> ALL.stream().filter(query -> query.number == number).toList());
  }

  /**
   * Finds a query.
   *
   * @throws IllegalArgumentException if there is none of this number; the message says which there
   *     are
   */
  public static TpchQuery byNumber(int number) {
    return parse(String.valueOf(number)).get(0);
  }

  @Override
  public String name() {
    return String.valueOf(number);
  }

  @Override
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
    return SqlText.find(TpchQuery.class, resource);
  }
}
