// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational.exchange;

import dev.anemone.ir.relational.query.RelationalQuery;
import java.util.Objects;
import java.util.Optional;

/**
 * A part of a query that runs without rows of other tasks, once its inputs are there.
 *
 * @param query over a table, or over exchanges
 * @param place where it runs
 * @param output where its rows go; empty for rows of the whole query's result
 */
public record Fragment(RelationalQuery query, Place place, Optional<Exchange> output) {

  /** Where a fragment runs. */
  public enum Place {
    /** On each split of the only table that it reads: a straight {@link ScanPlan}. */
    SPLITS,
    /**
     * In the tasks that have made the rows of one exchange, which {@linkplain Partitioning.Stay
     * stay}, or of one collection, on some of these at a time and all that is broadcast.
     */
    PIECES,
    /** On each partition of the exchanges that it reads. */
    PARTITIONS,
    /** Once, on all rows of the exchanges that it reads. */
    ONCE,
    /** Once, also when it is given no rows at all: of which it may make some. */
    ONCE_ALWAYS
  }

  public Fragment {
    Objects.requireNonNull(query, "query");
    Objects.requireNonNull(place, "place");
    Objects.requireNonNull(output, "output");
  }

  /** The fragment in one line, for people. */
  public String text() {
    return output
            .map(exchange -> exchange.name() + " = " + exchange.partitioning().text() + " of ")
            .orElse("result = ")
        + query.line();
  }
}
