// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational.exchange;

import dev.anemone.ir.relational.AggregateFunction;
import dev.anemone.ir.relational.RelationalOperator;
import dev.anemone.ir.relational.RelationalOperator.Aggregate;
import dev.anemone.ir.relational.RelationalOperator.Phase;
import dev.anemone.ir.relational.query.Relation;
import dev.anemone.ir.relational.query.RelationalQuery;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A query on partitions as two: one on pieces of an input, up to the first half of an aggregate,
 * and one on partitions of what that gives, which merges the states.
 *
 * <pre>
 * before:  aggregate by o_key: sum(l_price) {inner join by o_key = l_order {x0; x1}}
 *
 * after:   aggregate partial by o_key: sum(l_price) {inner join by o_key = l_order {x0; x1}}
 *          aggregate final by o_key: sum(l_price) {states}
 * </pre>
 *
 * @param first on pieces
 * @param keys the columns of its rows of which the second query needs equal ones together
 * @param second on partitions of these rows
 */
public record HalvedQuery(PiecedQuery first, List<String> keys, PartitionedQuery second) {

  public HalvedQuery {
    keys = List.copyOf(keys);
  }

  /**
   * A query in halves.
   *
   * @param pieces the input of which the first half gets some rows at a time
   * @param states the name of the second half's only input
   * @return empty where the query is not an aggregate by keys that has halves, below filters and
   *     projections at most, of what gives the same for pieces
   */
  static Optional<HalvedQuery> of(RelationalQuery query, String pieces, String states) {
    Deque<RelationalOperator> above = new ArrayDeque<>();
    Relation relation = query.root();
    while (relation instanceof Relation.Step step && !(step.operator() instanceof Aggregate)) {
      above.push(step.operator());
      relation = step.input();
    }
    if (!(relation instanceof Relation.Step step)
        || !(step.operator() instanceof Aggregate aggregate)
        || !hasHalves(aggregate)
        || !OnPieces.allows(new RelationalQuery(step.input()), pieces)) {
      return Optional.empty();
    }
    Relation first = Relation.Step.of(aggregate.partialHalf(), step.input());
    Relation second =
        Relation.Step.of(aggregate.finalHalf(), new Relation.Input(states, first.row()));
    for (RelationalOperator operator : above) {
      second = Relation.Step.of(operator, second);
    }
    return Optional.of(
        new HalvedQuery(
            new PiecedQuery(new RelationalQuery(first), pieces),
            aggregate.groupBy(),
            new PartitionedQuery(new RelationalQuery(second), Set.of())));
  }

  private static boolean hasHalves(Aggregate aggregate) {
    return aggregate.phase() == Phase.COMPLETE
        && !aggregate.groupBy().isEmpty()
        && aggregate.calls().stream()
            .noneMatch(call -> call.function() == AggregateFunction.SINGLE_VALUE);
  }
}
