// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.columnar;

import dev.anemone.beam.sql.rel.Selectivity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Aggregate;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Calc;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Join;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.JoinRelType;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexBuilder;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexInputRef;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexUtil;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.fun.SqlStdOperatorTable;

/**
 * Aggregates only the groups that a join wants. A sub-query that depends on the rows around it
 * becomes a join with an aggregate of all of a table, of which a filter on the other side needs few
 * groups.
 *
 * <pre>
 * before:  Join(k = g; Calc(filter; part), Aggregate(by g; lineitem))
 * after:   Join(k = g; Calc(filter; part),
 *               Aggregate(by g; SemiJoin(g = k; lineitem, Calc(filter; part))))
 * </pre>
 *
 * <p>The other side is computed twice, or once where an engine sees that it is repeated. So this is
 * for parts that one engine runs, and only where that side is filtered and has fewer rows than are
 * aggregated. Known as magic sets (Mumick et al., SIGMOD 1990).
 */
final class KeysBelowAggregates extends RelHomogeneousShuttle {

  /** The share of its rows that filters leave of the other side, at most. */
  private static final double MOST_OF_OTHER_SIDE = 0.5;

  @Override
  public RelNode visit(RelNode node) {
    RelNode withInputs = super.visit(node);
    return withInputs instanceof Join join ? wanted(join) : withInputs;
  }

  private static RelNode wanted(Join join) {
    List<RelNode> sides = new ArrayList<>(join.getInputs());
    List<Integer> left = join.analyzeCondition().leftKeys;
    List<Integer> right = join.analyzeCondition().rightKeys;
    JoinRelType type = join.getJoinType();
    if (type == JoinRelType.INNER || type == JoinRelType.RIGHT || type == JoinRelType.SEMI) {
      grouped(sides.get(0), left, sides.get(1), right).ifPresent(fewer -> sides.set(0, fewer));
    }
    boolean isSame = sides.get(0) == join.getLeft();
    if (isSame && type != JoinRelType.RIGHT && type != JoinRelType.FULL) {
      grouped(sides.get(1), right, sides.get(0), left).ifPresent(fewer -> sides.set(1, fewer));
    }
    return sides.equals(join.getInputs()) ? join : join.copy(join.getTraitSet(), sides);
  }

  /**
   * An aggregate, or projections and filters of one, of the groups that another side has; empty
   * where the node is none, is not grouped by a key, or nothing is saved.
   */
  private static Optional<RelNode> grouped(
      RelNode node, List<Integer> keys, RelNode other, List<Integer> otherKeys) {
    if (node instanceof Calc calc && !calc.getProgram().containsAggs()) {
      List<Integer> below = new ArrayList<>();
      List<Integer> otherBelow = new ArrayList<>();
      for (int i = 0; i < keys.size(); i++) {
        RexNode column =
            calc.getProgram().expandLocalRef(calc.getProgram().getProjectList().get(keys.get(i)));
        if (column instanceof RexInputRef input) {
          below.add(input.getIndex());
          otherBelow.add(otherKeys.get(i));
        }
      }
      return grouped(calc.getInput(), below, other, otherBelow)
          .map(fewer -> calc.copy(calc.getTraitSet(), List.of(fewer)));
    }
    return node instanceof Aggregate aggregate && aggregate.getGroupType() == Aggregate.Group.SIMPLE
        ? aggregated(aggregate, keys, other, otherKeys)
        : Optional.empty();
  }

  private static Optional<RelNode> aggregated(
      Aggregate aggregate, List<Integer> keys, RelNode other, List<Integer> otherKeys) {
    RelNode input = aggregate.getInput();
    RexBuilder builder = aggregate.getCluster().getRexBuilder();
    int width = input.getRowType().getFieldCount();
    List<RexNode> equal = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      if (keys.get(i) < aggregate.getGroupCount()) {
        int column = aggregate.getGroupSet().nth(keys.get(i));
        equal.add(
            builder.makeCall(
                SqlStdOperatorTable.EQUALS,
                builder.makeInputRef(input, column),
                builder.makeInputRef(
                    other.getRowType().getFieldList().get(otherKeys.get(i)).getType(),
                    width + otherKeys.get(i))));
      }
    }
    if (equal.isEmpty() || !isWorthIt(other, input)) {
      return Optional.empty();
    }
    RelNode wanted =
        LogicalJoin.create(
            input,
            other,
            List.of(),
            RexUtil.composeConjunction(builder, equal),
            Set.of(),
            JoinRelType.SEMI);
    return Optional.of(aggregate.copy(aggregate.getTraitSet(), List.of(wanted)));
  }

  private static boolean isWorthIt(RelNode other, RelNode aggregated) {
    return unfiltered(other) <= MOST_OF_OTHER_SIDE && rows(other) < rows(aggregated);
  }

  private static double rows(RelNode node) {
    return node.getCluster().getMetadataQuery().getRowCount(node);
  }

  /** The share of its rows that filters leave, if joins follow keys from table to table. */
  private static double unfiltered(RelNode node) {
    if (node instanceof Calc calc) {
      double ofInput = unfiltered(calc.getInput());
      return calc.getProgram().getCondition() == null
          ? ofInput
          : ofInput
              * Selectivity.of(calc.getProgram().expandLocalRef(calc.getProgram().getCondition()));
    }
    if (node instanceof Join join) {
      double left = unfiltered(join.getLeft());
      return switch (join.getJoinType()) {
        case INNER, SEMI -> left * unfiltered(join.getRight());
        case LEFT -> left;
        default -> 1;
      };
    }
    return 1;
  }
}
