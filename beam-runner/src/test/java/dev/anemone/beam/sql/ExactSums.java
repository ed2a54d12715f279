// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.AggregateCall;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.logical.LogicalProject;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.type.RelDataType;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexBuilder;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlKind;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.type.SqlTypeName;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * Sums whole numbers as decimals, and makes whole numbers, or averages, of the sums, so that those
 * that do not fit are an error in Calcite's engine too.
 *
 * <pre>
 * Aggregate(SUM($0))    ──▶    Project(CAST($0 AS INTEGER))
 *   input                        Aggregate(SUM($1))
 *                                  Project($0, CAST($0 AS DECIMAL))
 *                                    input
 * </pre>
 */
final class ExactSums extends RelHomogeneousShuttle {

  @Override
  public RelNode visit(LogicalAggregate original) {
    LogicalAggregate aggregate = (LogicalAggregate) super.visit((RelNode) original);
    RexBuilder builder = aggregate.getCluster().getRexBuilder();
    RelNode input = aggregate.getInput();
    List<RexNode> columns = new ArrayList<>(builder.identityProjects(input.getRowType()));
    List<AggregateCall> calls = new ArrayList<>();
    for (AggregateCall call : aggregate.getAggCallList()) {
      calls.add(isWholeSum(call, input) ? exact(call, builder, columns) : call);
    }
    if (calls.equals(aggregate.getAggCallList())) {
      return aggregate;
    }
    RelNode wide = LogicalProject.create(input, List.of(), columns, (List<String>) null, Set.of());
    LogicalAggregate sums =
        aggregate.copy(
            aggregate.getTraitSet(),
            wide,
            aggregate.getGroupSet(),
            aggregate.getGroupSets(),
            calls);
    List<RexNode> results = new ArrayList<>();
    for (int i = 0; i < sums.getRowType().getFieldCount(); i++) {
      RelDataType type = aggregate.getRowType().getFieldList().get(i).getType();
      RexNode result = builder.makeInputRef(sums, i);
      results.add(
          type.getSqlTypeName() == result.getType().getSqlTypeName()
              ? result
              : builder.makeAbstractCast(type, result, false));
    }
    return LogicalProject.create(sums, List.of(), results, aggregate.getRowType(), Set.of());
  }

  private static boolean isWholeSum(AggregateCall call, RelNode input) {
    if (call.getArgList().isEmpty()) {
      return false;
    }
    RelDataType value = input.getRowType().getFieldList().get(call.getArgList().get(0)).getType();
    SqlKind kind = call.getAggregation().getKind();
    return (kind == SqlKind.SUM || kind == SqlKind.SUM0 || kind == SqlKind.AVG)
        && SqlTypeUtil.isIntType(value);
  }

  private static AggregateCall exact(
      AggregateCall call, RexBuilder builder, List<RexNode> columns) {
    RexNode value = columns.get(call.getArgList().get(0));
    RelDataType decimal =
        builder
            .getTypeFactory()
            .createTypeWithNullability(
                builder.getTypeFactory().createSqlType(SqlTypeName.DECIMAL, 30, 0),
                value.getType().isNullable());
    columns.add(builder.makeAbstractCast(decimal, value, false));
    RelDataType result =
        builder
            .getTypeFactory()
            .createTypeWithNullability(
                call.getAggregation().getKind() == SqlKind.AVG
                    ? builder.getTypeFactory().createSqlType(SqlTypeName.DECIMAL)
                    : decimal,
                call.getType().isNullable());
    return AggregateCall.create(
        call.getAggregation(),
        call.isDistinct(),
        call.isApproximate(),
        call.ignoreNulls(),
        List.of(),
        List.of(columns.size() - 1),
        call.filterArg,
        call.distinctKeys,
        call.getCollation(),
        result,
        call.getName());
  }
}
