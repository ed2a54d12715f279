// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.plan;

import org.apache.beam.sdk.extensions.sql.impl.rule.BeamIOPushDownRule;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptRule;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptRuleCall;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Calc;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.RelFactories;

/**
 * Beam's rule, which lets a table read the columns and rows of a Calc above it only; not of one
 * with analytic functions, which Beam's rule cannot rewrite.
 */
final class TablePushDownRule extends BeamIOPushDownRule {

  static final RelOptRule INSTANCE = new TablePushDownRule();

  private TablePushDownRule() {
    super(RelFactories.LOGICAL_BUILDER);
  }

  @Override
  public boolean matches(RelOptRuleCall call) {
    Calc calc = call.rel(0);
    return !calc.getProgram().containsAggs();
  }
}
