// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.rel;

import org.apache.beam.sdk.extensions.sql.impl.rel.BeamLogicalConvention;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.Convention;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptRule;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelTraitSet;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.convert.ConverterRule;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.hint.HintPredicates;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.hint.HintStrategyTable;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.hint.RelHint;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.logical.LogicalJoin;

/**
 * Turns a join into a {@link BroadcastJoinRel} if it has the hint {@link #BROADCAST}, else into a
 * {@link ShuffleJoinRel}.
 */
public final class JoinRule extends ConverterRule {

  /** Says of a join that its right side is to be broadcast. */
  public static final RelHint BROADCAST = RelHint.builder("BROADCAST").build();

  /** The hints that there are. */
  public static final HintStrategyTable HINTS =
      HintStrategyTable.builder()
          .hintStrategy(BROADCAST.hintName, HintPredicates.JOIN)
          .hintStrategy(SideBytes.HINT, HintPredicates.JOIN)
          .build();

  public static final JoinRule INSTANCE =
      Config.INSTANCE
          .withConversion(
              LogicalJoin.class, Convention.NONE, BeamLogicalConvention.INSTANCE, "JoinRule")
          .withRuleFactory(JoinRule::new)
          .toRule(JoinRule.class);

  private JoinRule(Config config) {
    super(config);
  }

  @Override
  public RelNode convert(RelNode node) {
    LogicalJoin join = (LogicalJoin) node;
    RelTraitSet traits = join.getTraitSet().replace(BeamLogicalConvention.INSTANCE);
    RelNode left = physical(join.getLeft());
    RelNode right = physical(join.getRight());
    return join.getHints().contains(BROADCAST)
        ? new BroadcastJoinRel(
            join.getCluster(), traits, left, right, join.getCondition(), join.getJoinType())
        : new ShuffleJoinRel(
            join.getCluster(), traits, left, right, join.getCondition(), join.getJoinType());
  }

  private static RelNode physical(RelNode input) {
    return RelOptRule.convert(input, input.getTraitSet().replace(BeamLogicalConvention.INSTANCE));
  }
}
