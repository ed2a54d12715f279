// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.columnar;

import dev.anemone.beam.sql.validate.QuantileFunction;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Aggregate;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.AggregateCall;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.logical.LogicalProject;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.type.RelDataType;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexBuilder;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexOver;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexWindow;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.type.SqlTypeName;

/**
 * Says variances of decimals, where only columns can compute them, by those of doubles, which the
 * engine has.
 *
 * <pre>
 * before:  Aggregate(ROLLUP(g); STDDEV_POP(d))
 * after:   Project(g, CAST(s AS DECIMAL))
 *            Aggregate(ROLLUP(g); STDDEV_POP(x) AS s)
 *              Project(g, d, CAST(d AS DOUBLE) AS x)
 * </pre>
 */
public final class DecimalSpreads {

  private DecimalSpreads() {}

  /** An aggregation, with doubles where it has variances of decimals. */
  public static RelNode said(Aggregate aggregate) {
    return staysInColumns(aggregate)
            && aggregate.getAggCallList().stream().anyMatch(DecimalSpreads::isDecimal)
        ? ofDoubles(aggregate)
        : aggregate;
  }

  /** One with nothing but DISTINCT does not: it becomes several, each of which rows can do. */
  private static boolean staysInColumns(Aggregate aggregate) {
    return aggregate.getGroupType() != Aggregate.Group.SIMPLE
        || aggregate.getAggCallList().stream()
            .anyMatch(
                call -> call.hasFilter() || call.getAggregation() instanceof QuantileFunction);
  }

  /** An analytic function, of doubles where it is a variance of decimals. */
  public static RexNode said(RexOver over, RexBuilder rexBuilder) {
    if (Spreads.of(over.getAggOperator()).isEmpty() || !isDecimal(over.getType())) {
      return over;
    }
    RelDataType type = asDouble(rexBuilder.getTypeFactory(), over.getType());
    RexWindow window = over.getWindow();
    List<RexNode> doubles =
        over.getOperands().stream()
            .map(
                operand ->
                    rexBuilder.makeCast(
                        asDouble(rexBuilder.getTypeFactory(), operand.getType()), operand))
            .toList();
    return rexBuilder.makeCast(
        over.getType(),
        rexBuilder.makeOver(
            type,
            over.getAggOperator(),
            doubles,
            window.partitionKeys,
            window.orderKeys,
            window.getLowerBound(),
            window.getUpperBound(),
            window.getExclude(),
            window.isRows(),
            true,
            false,
            over.isDistinct(),
            over.ignoreNulls()));
  }

  private static boolean isDecimal(AggregateCall call) {
    return Spreads.of(call.getAggregation()).isPresent() && isDecimal(call.getType());
  }

  private static boolean isDecimal(RelDataType type) {
    return type.getSqlTypeName() == SqlTypeName.DECIMAL;
  }

  private static RelDataType asDouble(RelDataTypeFactory types, RelDataType like) {
    return types.createTypeWithNullability(
        types.createSqlType(SqlTypeName.DOUBLE), like.isNullable());
  }

  private static RelNode ofDoubles(Aggregate aggregate) {
    RelNode input = aggregate.getInput();
    RexBuilder rexBuilder = aggregate.getCluster().getRexBuilder();
    RelDataTypeFactory types = rexBuilder.getTypeFactory();
    List<RexNode> columns = new ArrayList<>(columns(input, rexBuilder));
    List<AggregateCall> calls = new ArrayList<>();
    for (AggregateCall call : aggregate.getAggCallList()) {
      if (!isDecimal(call)) {
        calls.add(call);
        continue;
      }
      List<Integer> arguments = new ArrayList<>();
      for (int argument : call.getArgList()) {
        RexNode value = rexBuilder.makeInputRef(input, argument);
        arguments.add(columns.size());
        columns.add(rexBuilder.makeCast(asDouble(types, value.getType()), value));
      }
      calls.add(
          AggregateCall.create(
              call.getParserPosition(),
              call.getAggregation(),
              call.isDistinct(),
              call.isApproximate(),
              call.ignoreNulls(),
              call.rexList,
              arguments,
              call.filterArg,
              call.distinctKeys,
              call.getCollation(),
              asDouble(types, call.getType()),
              call.getName()));
    }
    RelNode doubles =
        LogicalAggregate.create(
            LogicalProject.create(input, List.of(), columns, (List<String>) null, Set.of()),
            aggregate.getHints(),
            aggregate.getGroupSet(),
            aggregate.getGroupSets(),
            calls);
    List<RexNode> results = new ArrayList<>();
    for (int i = 0; i < doubles.getRowType().getFieldCount(); i++) {
      results.add(
          rexBuilder.ensureType(
              aggregate.getRowType().getFieldList().get(i).getType(),
              rexBuilder.makeInputRef(doubles, i),
              true));
    }
    return LogicalProject.create(
        doubles, List.of(), results, aggregate.getRowType().getFieldNames(), Set.of());
  }

  private static List<RexNode> columns(RelNode input, RexBuilder rexBuilder) {
    return IntStream.range(0, input.getRowType().getFieldCount())
        .mapToObj(column -> (RexNode) rexBuilder.makeInputRef(input, column))
        .toList();
  }
}
