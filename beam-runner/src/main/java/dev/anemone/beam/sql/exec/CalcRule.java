// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.exec;

import org.apache.beam.sdk.extensions.sql.impl.rel.BeamLogicalConvention;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.Convention;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptRule;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelTraitSet;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.convert.ConverterRule;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Calc;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.logical.LogicalCalc;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexBuilder;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexProgram;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexProgramBuilder;

/**
 * Makes a {@link CalcRel} of a Calc. One that it cannot run becomes several, of which those that it
 * cannot run are Beam's: a filter, then a projection, so that no expression sees a row that the
 * condition keeps from it; and of the projection, a {@link CalcSplit}.
 */
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
  public RelNode convert(RelNode rel) {
    Calc calc = (Calc) rel;
    RelNode input = calc.getInput();
    RelTraitSet traits = calc.getTraitSet().replace(BeamLogicalConvention.INSTANCE);
    RelNode rows =
        RelOptRule.convert(input, input.getTraitSet().replace(BeamLogicalConvention.INSTANCE));
    RexProgram program = calc.getProgram();
    RexBuilder builder = calc.getCluster().getRexBuilder();
    if (CalcRel.canRun(program, builder)) {
      return new CalcRel(calc.getCluster(), traits, rows, program);
    }
    if (program.getCondition() == null) {
      return projection(traits, rows, program);
    }
    RexProgramBuilder filter = new RexProgramBuilder(program.getInputRowType(), builder);
    filter.addIdentity();
    filter.addCondition(program.expandLocalRef(program.getCondition()));
    RexProgram projection =
        RexProgram.create(
            program.getInputRowType(),
            program.getProjectList().stream().map(program::expandLocalRef).toList(),
            null,
            program.getOutputRowType(),
            builder);
    return projection(traits, operator(traits, rows, filter.getProgram()), projection);
  }

  private static RelNode projection(RelTraitSet traits, RelNode input, RexProgram program) {
    if (CalcRel.canRun(program, input.getCluster().getRexBuilder())) {
      return new CalcRel(input.getCluster(), traits, input, program);
    }
    return CalcSplit.of(program, input.getCluster().getRexBuilder())
        .map(
            split ->
                CalcRel.ofBeam(
                    traits,
                    new CalcRel(input.getCluster(), traits, input, split.below()),
                    split.above()))
        .orElseGet(() -> CalcRel.ofBeam(traits, input, program));
  }

  private static RelNode operator(RelTraitSet traits, RelNode input, RexProgram program) {
    return CalcRel.canRun(program, input.getCluster().getRexBuilder())
        ? new CalcRel(input.getCluster(), traits, input, program)
        : CalcRel.ofBeam(traits, input, program);
  }
}
