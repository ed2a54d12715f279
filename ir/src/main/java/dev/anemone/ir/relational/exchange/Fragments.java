// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational.exchange;

import dev.anemone.ir.relational.RelationalOperator;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.query.Relation;
import dev.anemone.ir.relational.query.RelationalQuery;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** The fragments so far, and the exchanges that they write to. */
final class Fragments {

  private final List<Fragment> fragments = new ArrayList<>();

  /** Exchanges over which a row goes in any case. */
  private final Set<String> neverEmpty = new HashSet<>();

  private int exchanges;

  /** All of them, when these parts are the result. */
  DistributedQuery withResult(List<Part> parts) {
    parts.forEach(part -> add(part, Optional.empty()));
    return new DistributedQuery(fragments);
  }

  /** The rows of parts, once they were exchanged. */
  Relation exchange(List<Part> parts, Partitioning partitioning) {
    return exchange(parts, partitioning, OptionalLong.empty());
  }

  /**
   * The same.
   *
   * @param bytes of all rows, as far as somebody has estimated them
   */
  Relation exchange(List<Part> parts, Partitioning partitioning, OptionalLong bytes) {
    RowType row =
        parts.size() == 1
            ? parts.get(0).relation().row()
            : new Relation.Union(parts.stream().map(Part::relation).toList()).row();
    Exchange exchange = new Exchange("x" + exchanges++, row, partitioning, bytes);
    for (Part part : parts) {
      add(part, Optional.of(exchange));
      if (part.isInSplits() && givesRowsOfNothing(part.relation())) {
        neverEmpty.add(exchange.name());
      }
    }
    return new Relation.Input(exchange.name(), row);
  }

  /** The rows of a part that lies where it is read, for any operator on some of them. */
  Part inPieces(Part part) {
    return part.isInSplits()
        ? new Part(exchange(List.of(part), new Partitioning.Stay()), new Distribution.Pieces())
        : part;
  }

  private void add(Part part, Optional<Exchange> output) {
    RelationalQuery query = new RelationalQuery(part.relation());
    fragments.add(new Fragment(query, place(part, query), output));
  }

  private Fragment.Place place(Part part, RelationalQuery query) {
    if (part.isInSplits()) {
      return Fragment.Place.SPLITS;
    } else if (part.isWhereItIsRead()) {
      return Fragment.Place.PIECES;
    } else if (part.isPartitioned()) {
      return Fragment.Place.PARTITIONS;
    }
    boolean isNeverGivenNothing = query.inputs().keySet().stream().anyMatch(neverEmpty::contains);
    return query.inputs().isEmpty() || (givesRowsOfNothing(part.relation()) && !isNeverGivenNothing)
        ? Fragment.Place.ONCE_ALWAYS
        : Fragment.Place.ONCE;
  }

  /** Whether a relation may have rows when none of its inputs has. */
  private static boolean givesRowsOfNothing(Relation relation) {
    if (relation instanceof Relation.Input) {
      return false;
    } else if (relation instanceof Relation.Values values) {
      return !values.rows().isEmpty();
    } else if (relation instanceof Relation.Step step
        && step.operator() instanceof RelationalOperator.Aggregate aggregate
        && aggregate.groupBy().isEmpty()) {
      return true;
    } else if (relation instanceof Relation.Grouped grouped
        && grouped.sets().stream().anyMatch(List::isEmpty)) {
      return true;
    }
    return relation.inputs().stream().anyMatch(Fragments::givesRowsOfNothing);
  }
}
