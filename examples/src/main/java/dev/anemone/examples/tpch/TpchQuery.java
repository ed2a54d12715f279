package dev.anemone.examples.tpch;

import dev.anemone.examples.sql.SortKey;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * A TPC-H query as Beam SQL can run it. Its text is a resource file, whose comments say what
 * differs from the standard text and why.
 *
 * @param number the number in the TPC-H specification
 * @param orderBy the query's ORDER BY, which the client applies to the rows of the result
 */
public record TpchQuery(int number, List<SortKey> orderBy) {

  /** The queries that are there, by number. */
  public static final List<TpchQuery> ALL =
      List.of(
          new TpchQuery(
              1, List.of(SortKey.ascending("l_returnflag"), SortKey.ascending("l_linestatus"))),
          new TpchQuery(
              3, List.of(SortKey.descending("revenue"), SortKey.ascending("o_orderdate"))),
          new TpchQuery(6, List.of()),
          new TpchQuery(10, List.of(SortKey.descending("revenue"))));

  public TpchQuery {
    orderBy = List.copyOf(orderBy);
  }

  /**
   * Finds a query.
   *
   * @throws IllegalArgumentException if there is none of this number; the message lists those there
   *     are
   */
  public static TpchQuery byNumber(int number) {
    for (TpchQuery query : ALL) {
      if (query.number == number) {
        return query;
      }
    }
    throw new IllegalArgumentException(
        "--query="
            + number
            + ": there is no such query. Give one of "
            + ALL.stream().map(q -> String.valueOf(q.number)).collect(Collectors.joining(", "))
            + ".");
  }

  /** The text for Beam SQL. */
  public String sql() {
    String resource = String.format(Locale.ROOT, "q%02d.sql", number);
    try (InputStream in = TpchQuery.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException(
            "The resource " + resource + " of query " + number + " is missing.");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException notReadable) {
      throw new UncheckedIOException(notReadable);
    }
  }
}
