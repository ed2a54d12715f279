// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.rel;

import org.apache.beam.sdk.extensions.sql.impl.rel.BeamLogicalConvention;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.Convention;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelTraitSet;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.convert.ConverterRule;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Union;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.logical.LogicalUnion;

/** Turns a {@code UNION ALL} into a {@link UnionAllRel}. */
public final class UnionAllRule extends ConverterRule {

  public static final UnionAllRule INSTANCE =
      Config.INSTANCE
          .withConversion(
              LogicalUnion.class,
              union -> union.all,
              Convention.NONE,
              BeamLogicalConvention.INSTANCE,
              "UnionAllRule")
          .withRuleFactory(UnionAllRule::new)
          .toRule(UnionAllRule.class);

  private UnionAllRule(Config config) {
    super(config);
  }

  @Override
  public RelNode convert(RelNode node) {
    Union union = (Union) node;
    RelTraitSet traits = union.getTraitSet().replace(BeamLogicalConvention.INSTANCE);
    return new UnionAllRel(
        union.getCluster(), traits, convertList(union.getInputs(), BeamLogicalConvention.INSTANCE));
  }
}
