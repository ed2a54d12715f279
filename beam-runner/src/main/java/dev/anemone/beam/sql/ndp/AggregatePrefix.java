// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.ndp;

import dev.anemone.ir.relational.AggregateFunction;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.RelationalOperator;
import dev.anemone.ir.relational.RelationalPlan;
import dev.anemone.ir.relational.RowType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptCluster;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelCollations;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Aggregate;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.AggregateCall;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.logical.LogicalCalc;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.type.RelDataType;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexBuilder;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexProgram;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlAggFunction;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.type.SqlTypeName;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.util.ImmutableBitSet;

/**
 * An aggregation on a read as a partial half in the read, and an aggregation of its states: sums of
 * sums, sums of counts, and so on, which our own operator does exactly. An average of doubles is a
 * sum and a count; one of whole numbers is not pushed.
 */
final class AggregatePrefix {

  private final Aggregate aggregate;
  private final NdpRel read;
  private final RelOptCluster cluster;

  /** The calls of the partial half, and the positions of their states. */
  private final List<dev.anemone.ir.relational.AggregateCall> partial = new ArrayList<>();

  private final List<Integer> firstState = new ArrayList<>();

  AggregatePrefix(Aggregate aggregate, NdpRel read) {
    this.aggregate = aggregate;
    this.read = read;
    this.cluster = aggregate.getCluster();
  }

  /** The aggregation of a read's states; empty when it cannot be divided. */
  Optional<RelNode> pushed() {
    if (aggregate.getGroupType() != Aggregate.Group.SIMPLE
        || aggregate.getAggCallList().stream().anyMatch(call -> !isPlain(call))) {
      return Optional.empty();
    }
    RowType input = read.plan().output();
    List<String> groupBy =
        aggregate.getGroupSet().asList().stream().map(i -> input.fields().get(i).name()).toList();
    int state = groupBy.size();
    for (AggregateCall call : aggregate.getAggCallList()) {
      Optional<AggregateFunction> function = function(call);
      if (function.isEmpty()) {
        return Optional.empty();
      }
      partial.add(
          new dev.anemone.ir.relational.AggregateCall(
              "s" + partial.size(),
              function.get(),
              call.getArgList().stream().findFirst().map(i -> input.fields().get(i).name())));
      firstState.add(state);
      state += function.get() == AggregateFunction.AVG ? 2 : 1;
    }
    if (state == 0) {
      return Optional.empty();
    }
    RelationalPlan plan =
        read.plan().then(RelationalOperator.Aggregate.complete(groupBy, partial).partialHalf());
    return Optional.of(finished(new NdpRel(cluster, read.table(), plan, rowType(plan), rows())));
  }

  private double rows() {
    double input = read.estimateRowCount(cluster.getMetadataQuery());
    return aggregate.getGroupSet().isEmpty() ? 1 : Math.max(1, input / 2);
  }

  private static boolean isPlain(AggregateCall call) {
    return !call.isDistinct()
        && !call.isApproximate()
        && !call.ignoreNulls()
        && call.filterArg < 0
        && call.distinctKeys == null
        && call.getCollation().getFieldCollations().isEmpty()
        && call.rexList.isEmpty()
        && call.getArgList().size() <= 1;
  }

  private Optional<AggregateFunction> function(AggregateCall call) {
    SqlTypeName result = call.getType().getSqlTypeName();
    boolean wide =
        result == SqlTypeName.BIGINT
            || result == SqlTypeName.DECIMAL
            || result == SqlTypeName.DOUBLE;
    AggregateFunction function =
        switch (call.getAggregation().getKind()) {
          case COUNT -> AggregateFunction.COUNT;
          case SUM, SUM0 -> wide ? AggregateFunction.SUM : null;
          case MIN -> AggregateFunction.MIN;
          case MAX -> AggregateFunction.MAX;
          case AVG -> isDouble(call.getArgList().get(0)) ? AggregateFunction.AVG : null;
          default -> null;
        };
    return Optional.ofNullable(function);
  }

  private boolean isDouble(int column) {
    RelDataType type = aggregate.getInput().getRowType().getFieldList().get(column).getType();
    return type.getSqlTypeName() == SqlTypeName.DOUBLE;
  }

  private RelDataType rowType(RelationalPlan plan) {
    RelDataTypeFactory types = cluster.getTypeFactory();
    RelDataTypeFactory.Builder builder = types.builder();
    List<Field> fields = plan.output().fields();
    int keys = aggregate.getGroupCount();
    for (int i = 0; i < fields.size(); i++) {
      RelDataType type =
          i < keys
              ? aggregate.getRowType().getFieldList().get(i).getType()
              : types.createTypeWithNullability(
                  types.createSqlType(SqlRows.nameOf(fields.get(i).type().type())),
                  fields.get(i).type().nullable());
      builder.add(i < keys ? aggregate.getRowType().getFieldNames().get(i) : "s" + i, type);
    }
    return builder.build();
  }

  /** The final half, and the quotients of averages. */
  private RelNode finished(NdpRel states) {
    int keys = aggregate.getGroupCount();
    List<AggregateCall> calls = new ArrayList<>();
    List<Integer> results = new ArrayList<>();
    boolean averages = false;
    for (int i = 0; i < partial.size(); i++) {
      AggregateCall call = aggregate.getAggCallList().get(i);
      results.add(keys + calls.size());
      switch (partial.get(i).function()) {
        case COUNT -> calls.add(merge(SqlStdOperatorTable.SUM0, firstState.get(i), states, call));
        case SINGLE_VALUE ->
            throw new IllegalStateException(partial.get(i).text() + " is never pushed");
        case SUM, MIN, MAX ->
            calls.add(merge(call.getAggregation(), firstState.get(i), states, call));
        case AVG -> {
          averages = true;
          calls.add(merge(SqlStdOperatorTable.SUM, firstState.get(i), states, call));
          calls.add(merge(SqlStdOperatorTable.SUM0, firstState.get(i) + 1, states, null));
        }
      }
    }
    ImmutableBitSet groups = ImmutableBitSet.range(keys);
    RelNode merged = LogicalAggregate.create(states, List.of(), groups, List.of(groups), calls);
    return averages ? divided(merged, results) : merged;
  }

  private AggregateCall merge(
      SqlAggFunction function, int state, RelNode states, AggregateCall named) {
    return AggregateCall.create(
        function,
        false,
        false,
        false,
        List.of(),
        List.of(state),
        -1,
        null,
        RelCollations.EMPTY,
        aggregate.getGroupCount(),
        states,
        null,
        named == null ? null : named.getName());
  }

  private RelNode divided(RelNode merged, List<Integer> results) {
    RexBuilder rexBuilder = cluster.getRexBuilder();
    List<RexNode> columns = new ArrayList<>();
    for (int i = 0; i < aggregate.getGroupCount(); i++) {
      columns.add(rexBuilder.makeInputRef(merged, i));
    }
    for (int i = 0; i < partial.size(); i++) {
      RexNode value = rexBuilder.makeInputRef(merged, results.get(i));
      if (partial.get(i).function() == AggregateFunction.AVG) {
        RexNode count = rexBuilder.makeInputRef(merged, results.get(i) + 1);
        value =
            rexBuilder.makeCall(
                SqlStdOperatorTable.DIVIDE,
                value,
                rexBuilder.makeCast(
                    cluster.getTypeFactory().createSqlType(SqlTypeName.DOUBLE), count));
      }
      columns.add(value);
    }
    return LogicalCalc.create(
        merged,
        RexProgram.create(
            merged.getRowType(),
            columns,
            null,
            aggregate.getRowType().getFieldNames(),
            rexBuilder));
  }
}
