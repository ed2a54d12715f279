// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational.exchange;

import dev.anemone.ir.relational.query.RelationalQuery;
import java.util.Objects;

/**
 * A query that runs on some rows of one input at a time, in the order in which they come, with all
 * rows of its other inputs beside them. What it gives for all pieces is together its result.
 *
 * @param query over exchanges
 * @param pieces the input of which it has some rows at a time
 */
public record PiecedQuery(RelationalQuery query, String pieces) {

  /**
   * Checks the name.
   *
   * @throws IllegalArgumentException when the query does not read it
   */
  public PiecedQuery {
    Objects.requireNonNull(query, "query");
    if (!query.inputs().containsKey(pieces)) {
      throw new IllegalArgumentException(
          pieces + " is no input of the query: " + query.inputs().keySet());
    }
  }
}
