// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational.exchange;

import dev.anemone.ir.relational.query.RelationalQuery;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;

/**
 * A query that runs on each partition of the exchanges that it reads. Where one task has all
 * partitions it may as well run once, on all of them together.
 *
 * @param query over exchanges
 * @param replicated those of which each partition has all rows, so that one partition is enough
 *     where all are together
 */
public record PartitionedQuery(RelationalQuery query, Set<String> replicated) {

  /**
   * Checks the names.
   *
   * @throws IllegalArgumentException when the query does not read one of them
   */
  public PartitionedQuery {
    // Sorted, so that equal queries are written alike.
    replicated = Collections.unmodifiableSet(new TreeSet<>(replicated));
    if (!query.inputs().keySet().containsAll(replicated)) {
      throw new IllegalArgumentException(
          "not all of " + replicated + " are inputs of the query: " + query.inputs().keySet());
    }
  }
}
