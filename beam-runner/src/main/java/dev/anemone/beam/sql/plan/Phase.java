// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.plan;

import java.util.List;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.Contexts;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptCostImpl;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptRule;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.hep.HepPlanner;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.hep.HepProgram;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.hep.HepProgramBuilder;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelNode;

/**
 * Rules that are applied together, each wherever it matches, until none does any more. Every match
 * is taken, and nothing is compared by cost, so that the time is that of the query's size.
 */
final class Phase {

  /** Far beyond what any query needs: rules that undo each other must not run for ever. */
  private static final int MOST_MATCHES = 100_000;

  private final List<RelOptRule> rules;

  Phase(List<RelOptRule> rules) {
    this.rules = List.copyOf(rules);
  }

  RelNode apply(RelNode query) {
    HepProgram program =
        new HepProgramBuilder().addMatchLimit(MOST_MATCHES).addRuleCollection(rules).build();
    HepPlanner planner =
        new HepPlanner(program, Contexts.empty(), true, null, RelOptCostImpl.FACTORY);
    planner.setRoot(query);
    return planner.findBestExp();
  }
}
