// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.exec;

import java.util.List;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptRule;

/** The rules that put this package's operators into a plan. */
public final class ExecRules {
  private ExecRules() {}

  /**
   * The rules, to be added to those of Beam's operators: these stay for what ours cannot express,
   * and cost more by the planner's estimate.
   */
  public static List<RelOptRule> all() {
    return List.of(CalcRule.INSTANCE, AggregateRule.INSTANCE);
  }
}
