// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.tpcds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.beam.sql.order.ResultOrder;
import dev.anemone.examples.sql.QueryResult;
import dev.anemone.examples.tables.Answers;
import dev.anemone.examples.tables.DuckDb;
import java.sql.SQLException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * All rows that DuckDB gives for a query, in its order: more than the query has if it has a LIMIT,
 * since rows that are equal in its ORDER BY may be picked as one likes.
 *
 * @param limit the most rows that the query gives
 */
record DuckDbAnswer(List<List<Object>> rows, int limit) {
  private static final Pattern LIMIT = Pattern.compile("(?i)\\bLIMIT\\s+([0-9]+)\\s*$");

  static DuckDbAnswer of(String sql, DuckDb duckDb) throws SQLException {
    // Names that are words of Calcite's are quoted as it wants them.
    String text = sql.replace('`', '"').strip();
    Matcher limit = LIMIT.matcher(text);
    return limit.find()
        ? new DuckDbAnswer(
            duckDb.query(text.substring(0, limit.start())), Integer.parseInt(limit.group(1)))
        : new DuckDbAnswer(duckDb.query(text), Integer.MAX_VALUE);
  }

  /** The rows are those of the answer, as often as they are there, and in its order. */
  void assertGivenBy(QueryResult result) {
    assertThat(result.rows()).hasSize(Math.min(limit, rows.size()));
    if (rows.size() <= limit) {
      Answers.assertSameRows(result.rows(), rows);
    } else {
      Answers.assertAmong(result.rows(), rows);
    }
    for (int position = 0; position < result.rows().size(); position++) {
      for (ResultOrder.Key key : ResultOrder.of(result.schema()).keys()) {
        Object actual = result.rows().get(position).getValue(key.index());
        Object wanted = rows.get(position).get(key.index());
        assertThat(Answers.same(actual, wanted))
            .as(
                "column %d of row %d: %s, where DuckDB has %s",
                key.index(), position, actual, wanted)
            .isTrue();
      }
    }
  }
}
