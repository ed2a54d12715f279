// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.plan;

import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptRule;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptRuleCall;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelRule;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Sort;

/**
 * Removes an {@code ORDER BY} without a limit from a sub-query, where it has no meaning.
 *
 * <pre>
 * Sort(sort0=[$1])        ──▶    input
 *   input
 * </pre>
 */
final class SortRemoveRule extends RelRule<RuleConfig> {

  static final RelOptRule INSTANCE =
      new RuleConfig(
              "SortRemove",
              operand ->
                  operand
                      .operand(Sort.class)
                      .predicate(sort -> sort.fetch == null && sort.offset == null)
                      .anyInputs(),
              SortRemoveRule::new)
          .toRule();

  private SortRemoveRule(RuleConfig config) {
    super(config);
  }

  @Override
  public void onMatch(RelOptRuleCall call) {
    call.transformTo(call.rel(0).getInput(0));
  }
}
