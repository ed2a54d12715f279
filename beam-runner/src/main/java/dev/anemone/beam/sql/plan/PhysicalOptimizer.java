// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.plan;

import dev.anemone.beam.sql.columnar.ColumnarParts;
import dev.anemone.beam.sql.columnar.ColumnarPlace;
import dev.anemone.beam.sql.columnar.DistributedRule;
import dev.anemone.beam.sql.exec.ExecRules;
import dev.anemone.beam.sql.ndp.RelationalPrefix;
import dev.anemone.beam.sql.order.ResultOrder;
import dev.anemone.beam.sql.rel.JoinRule;
import dev.anemone.beam.sql.rel.OrderedTable;
import dev.anemone.beam.sql.rel.ResultRel;
import dev.anemone.beam.sql.rel.TopRule;
import dev.anemone.beam.sql.rel.UnaryRule;
import dev.anemone.beam.sql.rel.UnionAllRule;
import java.util.List;
import java.util.stream.Stream;
import org.apache.beam.sdk.extensions.sql.impl.CalciteQueryPlanner;
import org.apache.beam.sdk.extensions.sql.impl.planner.BeamRelMetadataQuery;
import org.apache.beam.sdk.extensions.sql.impl.planner.RelMdNodeStats;
import org.apache.beam.sdk.extensions.sql.impl.rel.BeamLogicalConvention;
import org.apache.beam.sdk.extensions.sql.impl.rel.BeamRelNode;
import org.apache.beam.sdk.extensions.sql.impl.rule.BeamBasicAggregationRule;
import org.apache.beam.sdk.extensions.sql.impl.rule.BeamIntersectRule;
import org.apache.beam.sdk.extensions.sql.impl.rule.BeamMinusRule;
import org.apache.beam.sdk.extensions.sql.impl.rule.BeamValuesRule;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptPlanner;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptRule;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelTraitSet;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.metadata.ChainedRelMetadataProvider;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.metadata.JaninoRelMetadataProvider;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.metadata.RelMetadataQueryBase;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.rules.CoreRules;
import org.apache.beam.vendor.guava.v32_1_2_jre.com.google.common.collect.ImmutableList;

/** Chooses an operator of Beam for each operator of an optimized query. */
public final class PhysicalOptimizer {

  /**
   * Each turns a logical operator into a physical one. Beam's aggregation is there for what {@link
   * ExecRules} cannot express, and dearer; nothing else is searched.
   */
  private static final List<RelOptRule> CONVERTERS =
      Stream.concat(
              ExecRules.all().stream(),
              Stream.of(
                  BeamBasicAggregationRule.INSTANCE,
                  JoinRule.INSTANCE,
                  TopRule.INSTANCE,
                  BeamValuesRule.INSTANCE,
                  BeamIntersectRule.INSTANCE,
                  BeamMinusRule.INSTANCE,
                  UnionAllRule.INSTANCE,
                  DistributedRule.INSTANCE,
                  UnaryRule.INSTANCE))
          .toList();

  /** Projections and filters become calcs, and those above a table move into it where it allows. */
  private static final Phase CALCS =
      new Phase(
          List.of(
              CoreRules.FILTER_TO_CALC,
              CoreRules.PROJECT_TO_CALC,
              CoreRules.CALC_MERGE,
              TablePushDownRule.INSTANCE));

  private final ColumnarPlace columnar;

  /**
   * An optimizer.
   *
   * @param columnar where parts are run in columns
   */
  public PhysicalOptimizer(ColumnarPlace columnar) {
    this.columnar = columnar;
  }

  /**
   * The physical plan, whose result says that it has this order.
   *
   * @param columns the names of the result's columns, each once: rules take a projection away that
   *     only gives names
   * @throws dev.anemone.beam.sql.rel.UnsupportedSqlException if something in the query cannot be
   *     run
   */
  public ResultRel optimize(RelNode query, List<String> columns, ResultOrder order) {
    RelNode calcs = CALCS.apply(OrderedTable.inAll(query));
    ColumnarParts parts = new ColumnarParts(columnar, inRows -> physical(inRows, List.of()));
    RelNode replaced = parts.replaced(calcs);
    BeamRelNode plan = physical(replaced, parts.reasons());
    return new ResultRel(
        plan.getCluster(), plan.getTraitSet(), plan, columns, order, parts.reasons());
  }

  private static BeamRelNode physical(RelNode rows, List<String> reasons) {
    PlanCheck.check(rows, reasons);
    return converted(RelationalPrefix.ofTable(rows.accept(new RelationalPrefix())));
  }

  private static BeamRelNode converted(RelNode query) {
    estimateAsBeamDoes(query);
    RelOptPlanner planner = query.getCluster().getPlanner();
    planner.clear();
    CONVERTERS.forEach(planner::addRule);
    RelTraitSet beam = query.getTraitSet().replace(BeamLogicalConvention.INSTANCE);
    planner.setRoot(query.getTraitSet().equals(beam) ? query : planner.changeTraits(query, beam));
    return (BeamRelNode) planner.findBestExp();
  }

  /** Beam's physical operators ask for their costs in this way only. */
  private static void estimateAsBeamDoes(RelNode query) {
    var cluster = query.getCluster();
    cluster.setMetadataProvider(
        ChainedRelMetadataProvider.of(
            ImmutableList.of(
                CalciteQueryPlanner.NonCumulativeCostImpl.SOURCE,
                RelMdNodeStats.SOURCE,
                cluster.getMetadataProvider())));
    cluster.setMetadataQuerySupplier(BeamRelMetadataQuery::instance);
    RelMetadataQueryBase.THREAD_PROVIDERS.set(
        JaninoRelMetadataProvider.of(cluster.getMetadataProvider()));
    cluster.invalidateMetadataQuery();
  }
}
