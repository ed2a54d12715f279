// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.rel;

import java.util.List;
import org.apache.beam.sdk.extensions.sql.impl.rel.BeamLogicalConvention;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.Convention;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptRule;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.convert.ConverterRule;

/** Gives a {@link UnaryRel} Beam's convention. */
public final class UnaryRule extends ConverterRule {

  public static final UnaryRule INSTANCE =
      Config.INSTANCE
          .withConversion(
              UnaryRel.class, Convention.NONE, BeamLogicalConvention.INSTANCE, "UnaryRule")
          .withRuleFactory(UnaryRule::new)
          .toRule(UnaryRule.class);

  private UnaryRule(Config config) {
    super(config);
  }

  @Override
  public RelNode convert(RelNode node) {
    RelNode input = node.getInput(0);
    return node.copy(
        node.getTraitSet().replace(BeamLogicalConvention.INSTANCE),
        List.of(
            RelOptRule.convert(
                input, input.getTraitSet().replace(BeamLogicalConvention.INSTANCE))));
  }
}
