// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.exec;

import org.apache.beam.sdk.extensions.sql.impl.rel.BeamLogicalConvention;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.Convention;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptRule;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptRuleCall;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.convert.ConverterRule;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Calc;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.logical.LogicalCalc;

/** Makes a {@link CalcRel} of a Calc whose expressions are all known to it. */
final class CalcRule extends ConverterRule {
  static final CalcRule INSTANCE =
      new CalcRule(
          Config.INSTANCE.withConversion(
              LogicalCalc.class,
              Convention.NONE,
              BeamLogicalConvention.INSTANCE,
              "dev.anemone.CalcRule"));

  private CalcRule(Config config) {
    super(config);
  }

  @Override
  public boolean matches(RelOptRuleCall call) {
    Calc calc = call.rel(0);
    return CalcRel.canRun(calc.getProgram(), calc.getCluster().getRexBuilder());
  }

  @Override
  public RelNode convert(RelNode rel) {
    Calc calc = (Calc) rel;
    RelNode input = calc.getInput();
    return new CalcRel(
        calc.getCluster(),
        calc.getTraitSet().replace(BeamLogicalConvention.INSTANCE),
        RelOptRule.convert(input, input.getTraitSet().replace(BeamLogicalConvention.INSTANCE)),
        calc.getProgram());
  }
}
