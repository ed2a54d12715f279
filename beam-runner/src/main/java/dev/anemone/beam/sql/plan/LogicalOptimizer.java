// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.plan;

import dev.anemone.beam.sql.plan.columns.AggregateTypes;
import dev.anemone.beam.sql.plan.columns.PlainDecimals;
import dev.anemone.beam.sql.plan.columns.UnionNames;
import java.util.EnumSet;
import java.util.List;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptRule;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Correlate;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.RelFactories;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.rules.AggregateReduceFunctionsRule;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.rules.CoreRules;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.rules.ProjectJoinTransposeRule;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.rules.PruneEmptyRules;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlKind;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql2rel.RelDecorrelator;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.tools.RelBuilder;

/** Rewrites a query into one that does less work, by rules and by the sizes of tables. */
public final class LogicalOptimizer {

  private static final Phase SUB_QUERIES =
      new Phase(
          List.of(
              SemiJoinRule.INSTANCE,
              CoreRules.FILTER_SUB_QUERY_TO_CORRELATE,
              CoreRules.PROJECT_SUB_QUERY_TO_CORRELATE,
              CoreRules.JOIN_SUB_QUERY_TO_CORRELATE,
              OnlyRowRule.INSTANCE));

  /**
   * Constants are computed in conditions only, as a decimal that the planner computes has as many
   * digits behind the point as its type.
   */
  private static final List<RelOptRule> PUSH_DOWN_RULES =
      List.of(
          CoreRules.FILTER_MERGE,
          CoreRules.FILTER_PROJECT_TRANSPOSE,
          CoreRules.FILTER_INTO_JOIN,
          CoreRules.JOIN_CONDITION_PUSH,
          CoreRules.FILTER_AGGREGATE_TRANSPOSE,
          CoreRules.FILTER_SET_OP_TRANSPOSE,
          FilterUnaryRule.INSTANCE,
          CoreRules.FILTER_REDUCE_EXPRESSIONS,
          CoreRules.JOIN_REDUCE_EXPRESSIONS,
          CoreRules.PROJECT_MERGE,
          CoreRules.PROJECT_REMOVE,
          CoreRules.UNION_MERGE,
          SortRemoveRule.INSTANCE,
          PruneEmptyRules.FILTER_INSTANCE,
          PruneEmptyRules.PROJECT_INSTANCE,
          PruneEmptyRules.UNION_INSTANCE);

  private static final Phase PUSH_DOWN = new Phase(PUSH_DOWN_RULES);

  /** Beam's average of decimals has ten digits; a quotient has sixteen. */
  private static final RelOptRule AVERAGES =
      AggregateReduceFunctionsRule.Config.DEFAULT
          .withFunctionsToReduce(EnumSet.of(SqlKind.AVG))
          .withExtraCondition(average -> SqlTypeUtil.isDecimal(average.getType()))
          .toRule();

  /** Calcite's decorrelation fails on several constants among the keys of an aggregate. */
  private static final Phase CONSTANT_KEYS =
      new Phase(List.of(CoreRules.AGGREGATE_PROJECT_PULL_UP_CONSTANTS));

  private static final Phase AGGREGATES =
      new Phase(
          List.of(
              CoreRules.UNION_TO_DISTINCT,
              DistinctSetRule.INSTANCE,
              CoreRules.AGGREGATE_EXPAND_DISTINCT_AGGREGATES_TO_JOIN,
              AVERAGES,
              LiteralAggregateRule.INSTANCE,
              CoreRules.PROJECT_MERGE));

  private static final Phase JOIN_KEYS =
      new Phase(List.of(CoreRules.JOIN_PUSH_EXPRESSIONS, CoreRules.PROJECT_MERGE));

  /** What a filter below a join reads, and nobody above it, goes no further. */
  private static final Phase NARROW =
      new Phase(
          List.of(
              ProjectJoinTransposeRule.Config.DEFAULT
                  .withPreserveExprCondition(expression -> false)
                  .toRule(),
              CoreRules.PROJECT_MERGE,
              CoreRules.PROJECT_REMOVE));

  private final double broadcastBytes;

  /**
   * An optimizer.
   *
   * @param broadcastBytes the most estimated bytes of a side of a join that is broadcast
   */
  public LogicalOptimizer(double broadcastBytes) {
    this.broadcastBytes = broadcastBytes;
  }

  /**
   * The optimized query, with the columns of the given one. Its scans are physical already.
   *
   * @throws dev.anemone.beam.sql.rel.UnsupportedSqlException if it has windows of time that cannot
   *     be run
   */
  public RelNode optimize(RelNode query) {
    RelNode joined = withoutSubQueries(query.accept(new WindowsAndArrays()));
    RelNode pushed = PUSH_DOWN.apply(AGGREGATES.apply(PUSH_DOWN.apply(joined)));
    RelNode ordered = PUSH_DOWN.apply(pushed.accept(new JoinOrder(broadcastBytes)));
    RelNode narrow = NARROW.apply(FieldTrimmer.trimmed(JOIN_KEYS.apply(ordered)));
    return narrow
        .accept(new JoinChoice(broadcastBytes))
        .accept(new PlainDecimals())
        .accept(new UnionNames());
  }

  private static RelNode withoutSubQueries(RelNode query) {
    RelNode joined = SUB_QUERIES.apply(query).accept(new AggregateTypes());
    if (!isCorrelated(joined)) {
      return joined;
    }
    RelBuilder builder = RelFactories.LOGICAL_BUILDER.create(query.getCluster(), null);
    return RelDecorrelator.decorrelateQuery(CONSTANT_KEYS.apply(joined), builder);
  }

  private static boolean isCorrelated(RelNode query) {
    return query instanceof Correlate
        || query.getInputs().stream().anyMatch(LogicalOptimizer::isCorrelated);
  }
}
