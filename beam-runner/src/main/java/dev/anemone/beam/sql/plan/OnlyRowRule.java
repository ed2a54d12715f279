// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.plan;

import dev.anemone.beam.sql.codegen.OnlyRow;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptRule;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptRuleCall;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelRule;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Aggregate;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Correlate;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlKind;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.tools.RelBuilder;

/**
 * Checks that a scalar sub-query yields one row for each outer row, and for no other: once it is a
 * join, its groups are those of all its rows, also of those that belong to no outer one.
 *
 * <pre>
 * Correlate(left)
 *   outer
 *   Aggregate(SINGLE_VALUE($0))
 *                                     ──▶
 * Project(outer.*, $ONLY_ROW(v, n))
 *   Correlate(left)
 *     outer
 *     Aggregate(v=[MIN($0)], n=[COUNT()])
 * </pre>
 */
final class OnlyRowRule extends RelRule<RuleConfig> {

  static final RelOptRule INSTANCE =
      new RuleConfig(
              "OnlyRow",
              correlate ->
                  correlate
                      .operand(Correlate.class)
                      .inputs(
                          outer -> outer.operand(RelNode.class).anyInputs(),
                          inner ->
                              inner
                                  .operand(Aggregate.class)
                                  .predicate(OnlyRowRule::isSingleValue)
                                  .anyInputs()),
              OnlyRowRule::new)
          .toRule();

  private OnlyRowRule(RuleConfig config) {
    super(config);
  }

  private static boolean isSingleValue(Aggregate aggregate) {
    return aggregate.getGroupCount() == 0
        && aggregate.getAggCallList().size() == 1
        && aggregate.getAggCallList().get(0).getAggregation().getKind() == SqlKind.SINGLE_VALUE;
  }

  @Override
  public void onMatch(RelOptRuleCall call) {
    Correlate correlate = call.rel(0);
    Aggregate aggregate = call.rel(2);
    RelBuilder builder = call.builder();
    RelNode counted =
        builder
            .push(aggregate.getInput())
            .aggregate(
                builder.groupKey(),
                builder.min(builder.field(aggregate.getAggCallList().get(0).getArgList().get(0))),
                builder.countStar("n"))
            .build();
    builder.push(correlate.copy(correlate.getTraitSet(), List.of(correlate.getLeft(), counted)));
    int outerColumns = correlate.getLeft().getRowType().getFieldCount();
    List<RexNode> outputs = new ArrayList<>(builder.fields().subList(0, outerColumns));
    outputs.add(
        builder
            .getRexBuilder()
            .makeCall(
                OnlyRow.INSTANCE, builder.field(outerColumns), builder.field(outerColumns + 1)));
    call.transformTo(
        builder.project(outputs, correlate.getRowType().getFieldNames(), true).build());
  }
}
