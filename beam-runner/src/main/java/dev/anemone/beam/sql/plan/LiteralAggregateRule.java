// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.plan;

import java.util.ArrayList;
import java.util.List;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptRule;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptRuleCall;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelRule;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Aggregate;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.AggregateCall;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlKind;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.tools.RelBuilder;

/**
 * Puts the constants that Calcite makes aggregate functions of, when it removes a {@code NOT IN},
 * above the aggregation. One without groups, of no rows, is left out: its constant would be, too.
 *
 * <pre>
 * Aggregate(group=[{0}], i=[LITERAL_AGG(true)])
 *   input
 *                                  ──▶
 * Project($0, true)
 *   Aggregate(group=[{0}])
 *     input
 * </pre>
 */
final class LiteralAggregateRule extends RelRule<RuleConfig> {

  static final RelOptRule INSTANCE =
      new RuleConfig(
              "LiteralAggregate",
              operand ->
                  operand
                      .operand(Aggregate.class)
                      .predicate(
                          aggregate ->
                              aggregate.getGroupCount() > 0
                                  && aggregate.getAggCallList().stream()
                                      .anyMatch(LiteralAggregateRule::isLiteral))
                      .anyInputs(),
              LiteralAggregateRule::new)
          .toRule();

  private LiteralAggregateRule(RuleConfig config) {
    super(config);
  }

  private static boolean isLiteral(AggregateCall call) {
    return call.getAggregation().getKind() == SqlKind.LITERAL_AGG;
  }

  @Override
  public void onMatch(RelOptRuleCall call) {
    Aggregate aggregate = call.rel(0);
    List<AggregateCall> kept =
        aggregate.getAggCallList().stream().filter(c -> !isLiteral(c)).toList();
    RelBuilder builder =
        call.builder()
            .push(
                aggregate.copy(
                    aggregate.getTraitSet(),
                    aggregate.getInput(),
                    aggregate.getGroupSet(),
                    aggregate.getGroupSets(),
                    kept));
    List<RexNode> outputs = new ArrayList<>(builder.fields().subList(0, aggregate.getGroupCount()));
    int next = aggregate.getGroupCount();
    for (AggregateCall each : aggregate.getAggCallList()) {
      outputs.add(isLiteral(each) ? each.rexList.get(0) : builder.field(next++));
    }
    call.transformTo(builder.project(outputs, aggregate.getRowType().getFieldNames()).build());
  }
}
