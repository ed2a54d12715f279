// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.exec;

import java.util.HashSet;
import java.util.Set;
import org.apache.beam.sdk.extensions.sql.impl.rel.BeamLogicalConvention;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.Convention;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptRule;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptRuleCall;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.volcano.RelSubset;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.convert.ConverterRule;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Aggregate;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Calc;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Filter;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Project;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlKind;

/**
 * Makes an {@link AggregateRel} of an aggregation whose functions are all known to it, unless it
 * groups by windows, as in {@code GROUP BY TUMBLE(...)}.
 */
final class AggregateRule extends ConverterRule {
  static final AggregateRule INSTANCE =
      new AggregateRule(
          Config.INSTANCE.withConversion(
              LogicalAggregate.class,
              Convention.NONE,
              BeamLogicalConvention.INSTANCE,
              "dev.anemone.AggregateRule"));

  private AggregateRule(Config config) {
    super(config);
  }

  @Override
  public boolean matches(RelOptRuleCall call) {
    Aggregate aggregate = call.rel(0);
    return AggregateRel.canRun(aggregate) && !hasWindows(aggregate.getInput(), new HashSet<>());
  }

  /** Whether a window function is somewhere between an aggregation and the next join or table. */
  private static boolean hasWindows(RelNode rel, Set<RelNode> seen) {
    if (!seen.add(rel)) {
      return false;
    }
    if (rel instanceof RelSubset subset) {
      return subset.getRelList().stream().anyMatch(member -> hasWindows(member, seen));
    }
    if (rel instanceof Project project
        && project.getProjects().stream().anyMatch(AggregateRule::isWindow)) {
      return true;
    }
    if (rel instanceof Calc calc
        && calc.getProgram().getExprList().stream().anyMatch(AggregateRule::isWindow)) {
      return true;
    }
    return (rel instanceof Project || rel instanceof Calc || rel instanceof Filter)
        && hasWindows(rel.getInput(0), seen);
  }

  private static boolean isWindow(RexNode node) {
    return node.isA(SqlKind.TUMBLE) || node.isA(SqlKind.HOP) || node.isA(SqlKind.SESSION);
  }

  @Override
  public RelNode convert(RelNode rel) {
    Aggregate aggregate = (Aggregate) rel;
    RelNode input = aggregate.getInput();
    return new AggregateRel(
        aggregate.getCluster(),
        aggregate.getTraitSet().replace(BeamLogicalConvention.INSTANCE),
        RelOptRule.convert(input, input.getTraitSet().replace(BeamLogicalConvention.INSTANCE)),
        aggregate.getGroupSet(),
        aggregate.getAggCallList());
  }
}
