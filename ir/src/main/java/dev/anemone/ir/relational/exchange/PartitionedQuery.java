// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational.exchange;

import dev.anemone.ir.relational.InvalidPlanException;
import dev.anemone.ir.relational.query.RelationalQuery;
import java.util.Collections;
import java.util.Optional;
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

  /**
   * This query with another one in the place of an input, for where both run once.
   *
   * @param below what makes the rows of the input
   * @return empty where the two read an input of the same name, or would be too large together
   * @throws InvalidPlanException when the other one gives other columns
   */
  public Optional<PartitionedQuery> over(String input, PartitionedQuery below) {
    if (!query.canRead(input, below.query())) {
      return Optional.empty();
    }
    Set<String> copies = new TreeSet<>(replicated);
    copies.addAll(below.replicated());
    copies.remove(input);
    return Optional.of(
        new PartitionedQuery(query.withRelation(input, below.query().root()), copies));
  }

  /**
   * This query on pieces of one of its inputs, with all rows of the others beside each.
   *
   * @param input of which each partition has some rows
   * @return empty where that may give other rows than the query on partitions, or would compute
   *     again for each piece what it needs of the others
   */
  public Optional<PiecedQuery> onPieces(String input) {
    return !replicated.contains(input) && OnPieces.allows(query, input)
        ? Optional.of(new PiecedQuery(query, input))
        : Optional.empty();
  }

  /**
   * This query in halves, of which the first runs on pieces of one of its inputs.
   *
   * @param input of which each partition has some rows
   * @param states the name of what the second half reads
   * @return empty where {@link HalvedQuery} says that it has none
   */
  public Optional<HalvedQuery> inHalves(String input, String states) {
    return replicated.contains(input) ? Optional.empty() : HalvedQuery.of(query, input, states);
  }
}
