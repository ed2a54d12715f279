// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.plan;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.beam.sdk.extensions.sql.impl.rel.BeamIOSourceRel;
import org.apache.beam.sdk.extensions.sql.impl.rule.BeamJoinAssociateRule;
import org.apache.beam.sdk.extensions.sql.impl.rule.BeamJoinPushThroughJoinRule;
import org.apache.beam.sdk.values.PCollection.IsBounded;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptRule;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelVisitor;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Match;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.TableModify;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexShuttle;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexSubQuery;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.tools.RuleSet;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.tools.RuleSets;
import org.apache.beam.vendor.guava.v32_1_2_jre.com.google.common.collect.ImmutableList;

/**
 * Queries that are left to Beam SQL's planner: with unbounded tables or {@code MATCH_RECOGNIZE}.
 */
public final class StreamingQuery {

  private StreamingQuery() {}

  /** Whether a query, as it was converted, is one of them. */
  public static boolean is(RelNode query) {
    Finder finder = new Finder();
    finder.go(query);
    return finder.found;
  }

  /**
   * Rules for Beam SQL's planner without those that reorder joins: together with the others these
   * try all orders, for minutes at six tables.
   */
  public static Collection<RuleSet> ruleSets(Collection<RuleSet> ruleSets) {
    return ruleSets.stream().map(StreamingQuery::withoutReordering).toList();
  }

  private static RuleSet withoutReordering(RuleSet rules) {
    List<RelOptRule> kept = new ArrayList<>();
    for (RelOptRule rule : rules) {
      if (!(rule instanceof BeamJoinAssociateRule)
          && !(rule instanceof BeamJoinPushThroughJoinRule)) {
        kept.add(rule);
      }
    }
    return RuleSets.ofList(ImmutableList.copyOf(kept));
  }

  private static final class Finder extends RelVisitor {

    private final RexShuttle expressions =
        new RexShuttle() {
          @Override
          public RexNode visitSubQuery(RexSubQuery subQuery) {
            go(subQuery.rel);
            return super.visitSubQuery(subQuery);
          }
        };

    private boolean found;

    @Override
    public void visit(RelNode node, int ordinal, RelNode parent) {
      found |=
          node instanceof Match
              || node instanceof TableModify
              || (node instanceof BeamIOSourceRel source
                  && source.isBounded() == IsBounded.UNBOUNDED);
      node.accept(expressions);
      super.visit(node, ordinal, parent);
    }
  }
}
