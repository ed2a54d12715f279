// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational.exchange;

import dev.anemone.ir.relational.InvalidPlanException;
import dev.anemone.ir.relational.query.RelationalQuery;
import java.util.Objects;
import java.util.Optional;

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

  /**
   * This query with another one in the place of the input that comes in pieces, which that gives.
   *
   * @param below what makes the rows of the input
   * @return empty where the input is another one, the two read an input of the same name, or would
   *     be too large together
   * @throws InvalidPlanException when the other one gives other columns
   */
  public Optional<PiecedQuery> over(String input, PiecedQuery below) {
    return input.equals(pieces) && query.canRead(input, below.query())
        ? Optional.of(
            new PiecedQuery(query.withRelation(input, below.query().root()), below.pieces()))
        : Optional.empty();
  }
}
