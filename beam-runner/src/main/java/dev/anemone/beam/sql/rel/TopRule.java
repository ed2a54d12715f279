// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.rel;

import org.apache.beam.sdk.extensions.sql.impl.rel.BeamLogicalConvention;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.Convention;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptRule;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelTraitSet;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.convert.ConverterRule;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.logical.LogicalSort;

/**
 * Turns an {@code ORDER BY ... LIMIT} into a {@link TopRel}, and an {@code OFFSET} without a limit
 * into a {@link SkipRel}.
 */
public final class TopRule extends ConverterRule {

  public static final TopRule INSTANCE =
      Config.INSTANCE
          .withConversion(
              LogicalSort.class, Convention.NONE, BeamLogicalConvention.INSTANCE, "TopRule")
          .withRuleFactory(TopRule::new)
          .toRule(TopRule.class);

  private TopRule(Config config) {
    super(config);
  }

  @Override
  public RelNode convert(RelNode node) {
    LogicalSort sort = (LogicalSort) node;
    RelTraitSet traits = sort.getTraitSet().replace(BeamLogicalConvention.INSTANCE);
    RelNode input =
        RelOptRule.convert(
            sort.getInput(), sort.getInput().getTraitSet().replace(BeamLogicalConvention.INSTANCE));
    return sort.fetch == null
        ? new SkipRel(sort.getCluster(), traits, input, sort.getCollation(), sort.offset)
        : new TopRel(
            sort.getCluster(), traits, input, sort.getCollation(), sort.offset, sort.fetch);
  }
}
