// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.columnar;

import org.apache.beam.sdk.extensions.sql.impl.rel.BeamLogicalConvention;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.Convention;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.convert.ConverterRule;

/** Gives a {@link DistributedRel} Beam's convention. */
public final class DistributedRule extends ConverterRule {

  public static final DistributedRule INSTANCE =
      Config.INSTANCE
          .withConversion(
              DistributedRel.class,
              Convention.NONE,
              BeamLogicalConvention.INSTANCE,
              "DistributedRule")
          .withRuleFactory(DistributedRule::new)
          .toRule(DistributedRule.class);

  private DistributedRule(Config config) {
    super(config);
  }

  @Override
  public RelNode convert(RelNode node) {
    return node.copy(
        node.getTraitSet().replace(BeamLogicalConvention.INSTANCE),
        convertList(node.getInputs(), BeamLogicalConvention.INSTANCE));
  }
}
