// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.rel;

import java.util.List;
import java.util.Set;
import org.apache.beam.sdk.extensions.sql.impl.planner.BeamCostModel;
import org.apache.beam.sdk.extensions.sql.impl.planner.BeamRelMetadataQuery;
import org.apache.beam.sdk.extensions.sql.impl.planner.NodeStats;
import org.apache.beam.sdk.extensions.sql.impl.rel.BeamRelNode;
import org.apache.beam.sdk.extensions.sql.impl.rel.BeamSqlRelUtils;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptCluster;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptPlanner;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelTraitSet;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Join;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.JoinRelType;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexNode;

/** What the joins have in common: any type, any condition. */
abstract sealed class PhysicalJoin extends Join implements BeamRelNode
    permits BroadcastJoinRel, ShuffleJoinRel {

  PhysicalJoin(
      RelOptCluster cluster,
      RelTraitSet traits,
      RelNode left,
      RelNode right,
      RexNode condition,
      JoinRelType type) {
    super(cluster, traits, List.of(), left, right, condition, Set.of(), type);
  }

  /** Says something that is finite: the choice between joins was made before. */
  @Override
  public NodeStats estimateNodeStats(BeamRelMetadataQuery metadata) {
    NodeStats leftStats = BeamSqlRelUtils.getNodeStats(left, metadata);
    NodeStats rightStats = BeamSqlRelUtils.getNodeStats(right, metadata);
    return leftStats.isUnknown() || rightStats.isUnknown()
        ? NodeStats.UNKNOWN
        : NodeStats.create(Math.max(leftStats.getRowCount(), rightStats.getRowCount()));
  }

  @Override
  public BeamCostModel beamComputeSelfCost(RelOptPlanner planner, BeamRelMetadataQuery metadata) {
    return BeamCostModel.FACTORY.makeTinyCost();
  }
}
