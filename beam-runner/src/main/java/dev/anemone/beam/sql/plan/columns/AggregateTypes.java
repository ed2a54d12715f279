// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.plan.columns;

import java.util.List;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptUtil;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Aggregate;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.AggregateCall;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.type.RelDataType;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * Gives aggregate functions the types that Calcite infers from their arguments, as its rules do
 * wherever they make an aggregate anew. A query has others where an argument turned out to be never
 * null, and rules that meet both fail: the sum of {@code NULLIF(37.25, 80.35)}, a constant, can be
 * null by its type.
 *
 * <pre>
 *                                  Project($0, CAST($1): DECIMAL)
 * Aggregate(SUM($1): DECIMAL)  ──▶   Aggregate(SUM($1): DECIMAL NOT NULL)
 * </pre>
 */
public final class AggregateTypes extends RelHomogeneousShuttle {

  @Override
  public RelNode visit(RelNode node) {
    RelNode withInputs = super.visit(node);
    if (!(withInputs instanceof Aggregate aggregate)) {
      return withInputs;
    }
    List<AggregateCall> calls =
        aggregate.getAggCallList().stream().map(call -> inferred(call, aggregate)).toList();
    RelNode retyped =
        aggregate.copy(
            aggregate.getTraitSet(),
            aggregate.getInput(),
            aggregate.getGroupSet(),
            aggregate.getGroupSets(),
            calls);
    // Calls that differ by their types are equal.
    return retyped.getRowType().equals(aggregate.getRowType())
        ? aggregate
        : RelOptUtil.createCastRel(retyped, aggregate.getRowType(), true);
  }

  private static AggregateCall inferred(AggregateCall call, Aggregate aggregate) {
    RelDataType type = call.getAggregation().inferReturnType(call.createBinding(aggregate));
    boolean isLessNull =
        call.getType().isNullable()
            && !type.isNullable()
            && SqlTypeUtil.equalSansNullability(
                aggregate.getCluster().getTypeFactory(), type, call.getType());
    return isLessNull
        ? AggregateCall.create(
            call.getAggregation(),
            call.isDistinct(),
            call.isApproximate(),
            call.ignoreNulls(),
            call.rexList,
            call.getArgList(),
            call.filterArg,
            call.distinctKeys,
            call.getCollation(),
            type,
            call.getName())
        : call;
  }
}
