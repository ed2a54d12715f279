// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.exec;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.beam.sdk.extensions.sql.impl.CalciteQueryPlanner;
import org.apache.beam.sdk.extensions.sql.impl.JdbcConnection;
import org.apache.beam.sdk.extensions.sql.impl.QueryPlanner;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptRule;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.tools.RuleSet;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.tools.RuleSets;

/** Beam's planner with the rules of this package, and without those that reorder joins. */
public final class ExecPlanner {
  public static final QueryPlanner.Factory FACTORY = ExecPlanner::create;

  private ExecPlanner() {}

  private static QueryPlanner create(JdbcConnection connection, Collection<RuleSet> ruleSets) {
    List<RelOptRule> rules = new ArrayList<>(ExecRules.all());
    for (RuleSet ruleSet : ruleSets) {
      for (RelOptRule rule : ruleSet) {
        if (!rule.toString().contains("Join")
            || !rule.toString().matches(".*(Associate|PushThrough|Commute).*")) {
          rules.add(rule);
        }
      }
    }
    return CalciteQueryPlanner.FACTORY.createPlanner(connection, List.of(RuleSets.ofList(rules)));
  }
}
