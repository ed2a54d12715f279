// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.plan;

import dev.anemone.beam.sql.rel.UnaryRel;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptRule;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptRuleCall;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptUtil;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelRule;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Filter;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexUtil;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.tools.RelBuilder;

/**
 * Moves the conditions below a {@link UnaryRel} that may as well be tested there.
 *
 * <pre>
 * Filter($0 = 1 AND $2 = 2)     ──▶    Filter($2 = 2)
 *   Unnest(array=[$2])                   Unnest(array=[$2])
 *     input                                Filter($0 = 1)
 *                                            input
 * </pre>
 */
final class FilterUnaryRule extends RelRule<RuleConfig> {

  static final RelOptRule INSTANCE =
      new RuleConfig(
              "FilterUnary",
              filter ->
                  filter
                      .operand(Filter.class)
                      .oneInput(unary -> unary.operand(UnaryRel.class).anyInputs()),
              FilterUnaryRule::new)
          .toRule();

  private FilterUnaryRule(RuleConfig config) {
    super(config);
  }

  @Override
  public void onMatch(RelOptRuleCall call) {
    Filter filter = call.rel(0);
    UnaryRel unary = call.rel(1);
    List<RexNode> below = new ArrayList<>();
    List<RexNode> above = new ArrayList<>();
    for (RexNode conjunct : RelOptUtil.conjunctions(filter.getCondition())) {
      boolean moves =
          unary.filterable().contains(RelOptUtil.InputFinder.bits(conjunct))
              && RexUtil.isDeterministic(conjunct)
              && RexUtil.SubQueryFinder.find(conjunct) == null;
      (moves ? below : above).add(conjunct);
    }
    if (below.isEmpty()) {
      return;
    }
    RelBuilder builder = call.builder();
    RelNode input = builder.push(unary.getInput()).filter(below).build();
    call.transformTo(
        builder
            .push(unary.copy(unary.getTraitSet(), List.of(input)))
            .filter(filter.getVariablesSet(), above)
            .build());
  }
}
