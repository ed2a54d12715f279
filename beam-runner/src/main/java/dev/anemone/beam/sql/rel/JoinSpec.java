// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.rel;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.beam.sdk.extensions.sql.impl.utils.CalciteUtils;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptUtil;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Join;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.JoinRelType;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.type.RelDataType;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexBuilder;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexUtil;

/**
 * A join, as it travels to tasks.
 *
 * @param left the key of the left side
 * @param condition what rows with equal keys must satisfy, null if nothing
 * @param output the schema of the result
 */
record JoinSpec(
    JoinRelType type,
    JoinKeys left,
    JoinKeys right,
    JoinCondition condition,
    int leftColumns,
    Schema output)
    implements Serializable {

  static JoinSpec of(Join join) {
    List<Integer> leftKeys = new ArrayList<>();
    List<Integer> rightKeys = new ArrayList<>();
    List<Boolean> nullsMatchNothing = new ArrayList<>();
    List<RexNode> others = new ArrayList<>();
    RelOptUtil.splitJoinCondition(
        join.getLeft(),
        join.getRight(),
        join.getCondition(),
        leftKeys,
        rightKeys,
        nullsMatchNothing,
        others);
    List<Boolean> nullMatches = nullsMatchNothing.stream().map(nothing -> !nothing).toList();
    return new JoinSpec(
        join.getJoinType(),
        new JoinKeys(leftKeys, nullMatches),
        new JoinKeys(rightKeys, nullMatches),
        condition(join, others),
        join.getLeft().getRowType().getFieldCount(),
        CalciteUtils.toSchema(join.getRowType()));
  }

  private static JoinCondition condition(Join join, List<RexNode> conjuncts) {
    RexBuilder builder = join.getCluster().getRexBuilder();
    RexNode condition = RexUtil.composeConjunction(builder, conjuncts);
    if (condition.isAlwaysTrue()) {
      return null;
    }
    List<RelDataType> sides = List.of(join.getLeft().getRowType(), join.getRight().getRowType());
    RelDataType columns =
        join.getCluster()
            .getTypeFactory()
            .createStructType(
                sides.stream()
                    .flatMap(s -> s.getFieldList().stream())
                    .map(f -> f.getType())
                    .toList(),
                sides.stream().flatMap(s -> s.getFieldNames().stream()).toList());
    return JoinCondition.of(condition, columns, sides.get(0).getFieldCount(), builder);
  }

  /** Whether rows must have equal keys to match. */
  boolean hasKey() {
    return left.hasColumns();
  }

  /** Whether two rows with equal keys match. */
  boolean matches(Row leftRow, Row rightRow) {
    return condition == null || condition.test(leftRow, rightRow);
  }

  /** Whether the result has rows of the left side that match nothing. */
  boolean keepsLeft() {
    return type == JoinRelType.LEFT || type == JoinRelType.FULL || type == JoinRelType.ANTI;
  }

  /** Whether the result has rows of the right side that match nothing. */
  boolean keepsRight() {
    return type == JoinRelType.RIGHT || type == JoinRelType.FULL;
  }

  /** The row of the result for two that match; null stands for a side that has none. */
  Row row(Row leftRow, Row rightRow) {
    Object[] values = new Object[output.getFieldCount()];
    if (leftRow != null) {
      copy(leftRow, values, 0, leftColumns);
    }
    if (rightRow != null) {
      copy(rightRow, values, leftColumns, values.length);
    }
    return Row.withSchema(output).attachValues(Arrays.asList(values));
  }

  private static void copy(Row row, Object[] values, int from, int to) {
    for (int i = from; i < to; i++) {
      values[i] = row.getValue(i - from);
    }
  }
}
