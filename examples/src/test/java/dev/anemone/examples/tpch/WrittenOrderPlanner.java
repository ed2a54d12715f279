// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.tpch;

import java.util.Collection;
import java.util.List;
import java.util.stream.StreamSupport;
import org.apache.beam.sdk.extensions.sql.impl.CalciteQueryPlanner;
import org.apache.beam.sdk.extensions.sql.impl.QueryPlanner;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptRule;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.tools.RuleSet;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.tools.RuleSets;

/** Beam SQL's planner without the rules that reorder joins: with many tables they take minutes. */
public final class WrittenOrderPlanner {
  private static final List<String> REORDERING =
      List.of("JoinCommute", "JoinAssociate", "JoinPushThrough", "AggregateJoinTranspose");

  /** By which Beam SQL finds the planner. */
  public static final QueryPlanner.Factory FACTORY =
      (connection, ruleSets) ->
          CalciteQueryPlanner.FACTORY.createPlanner(connection, withoutReordering(ruleSets));

  private WrittenOrderPlanner() {}

  private static List<RuleSet> withoutReordering(Collection<RuleSet> ruleSets) {
    return ruleSets.stream().map(WrittenOrderPlanner::withoutReordering).toList();
  }

  private static RuleSet withoutReordering(RuleSet rules) {
    return RuleSets.ofList(
        StreamSupport.stream(rules.spliterator(), false).filter(rule -> !reorders(rule)).toList());
  }

  private static boolean reorders(RelOptRule rule) {
    return REORDERING.stream().anyMatch(rule.getClass().getSimpleName()::contains);
  }
}
