// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational.exchange;

import dev.anemone.ir.relational.RelationalOperator;
import dev.anemone.ir.relational.RelationalOperator.Aggregate;
import dev.anemone.ir.relational.RelationalOperator.Phase;
import dev.anemone.ir.relational.query.JoinKind;
import dev.anemone.ir.relational.query.Relation;
import dev.anemone.ir.relational.query.RelationalQuery;

/**
 * Whether a query gives for pieces of an input, with all rows of its other inputs beside each, what
 * it gives for all rows of that input at once. So it is of
 *
 * <ul>
 *   <li>filters, projections, and first halves of aggregates, whose states are merged later;
 *   <li>joins that keep a row without a match only of the side that has the pieces: inner joins,
 *       left outer, semi and anti joins whose left side has them, right outer joins whose right
 *       side has them.
 * </ul>
 *
 * <p>The other sides of such joins are inputs, filtered or projected at most: what else there is
 * would be computed for each piece anew.
 */
final class OnPieces {

  private enum Rows {
    OF_PIECES,
    BESIDE,
    NEITHER
  }

  private final String pieces;

  private OnPieces(String pieces) {
    this.pieces = pieces;
  }

  /** Whether a query does so for pieces of the input with this name. */
  static boolean allows(RelationalQuery query, String pieces) {
    return query.reads(pieces) == 1 && new OnPieces(pieces).rows(query.root()) == Rows.OF_PIECES;
  }

  private Rows rows(Relation relation) {
    if (relation instanceof Relation.Input input) {
      return input.name().equals(pieces) ? Rows.OF_PIECES : Rows.BESIDE;
    } else if (relation instanceof Relation.Step step) {
      Rows below = rows(step.input());
      return isRowByRow(step.operator())
              || (below == Rows.OF_PIECES && isFirstHalf(step.operator()))
          ? below
          : Rows.NEITHER;
    } else if (relation instanceof Relation.Join join) {
      return joined(join.kind(), rows(join.left()), rows(join.right()));
    }
    return Rows.NEITHER;
  }

  private static Rows joined(JoinKind kind, Rows left, Rows right) {
    boolean allowed =
        left == Rows.OF_PIECES
            ? right == Rows.BESIDE && kind != JoinKind.RIGHT && kind != JoinKind.FULL
            : left == Rows.BESIDE
                && right == Rows.OF_PIECES
                && (kind == JoinKind.INNER || kind == JoinKind.RIGHT);
    return allowed ? Rows.OF_PIECES : Rows.NEITHER;
  }

  private static boolean isRowByRow(RelationalOperator operator) {
    return operator instanceof RelationalOperator.Filter
        || operator instanceof RelationalOperator.Project;
  }

  private static boolean isFirstHalf(RelationalOperator operator) {
    return operator instanceof Aggregate aggregate && aggregate.phase() == Phase.PARTIAL;
  }
}
