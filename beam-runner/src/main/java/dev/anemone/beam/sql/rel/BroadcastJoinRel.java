// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.rel;

import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionList;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptCluster;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelTraitSet;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Join;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.JoinRelType;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexNode;

/**
 * A join whose right side goes whole to every task that reads the left one, which makes a hash
 * table of it. Inner, left, semi and anti joins; also those without a key.
 */
public final class BroadcastJoinRel extends PhysicalJoin {

  public BroadcastJoinRel(
      RelOptCluster cluster,
      RelTraitSet traits,
      RelNode left,
      RelNode right,
      RexNode condition,
      JoinRelType type) {
    super(cluster, traits, left, right, condition, type);
  }

  /** Whether there is such a join of this type. */
  public static boolean is(JoinRelType type) {
    return switch (type) {
      case INNER, LEFT, SEMI, ANTI -> true;
      default -> false;
    };
  }

  @Override
  public Join copy(
      RelTraitSet traits,
      RexNode condition,
      RelNode left,
      RelNode right,
      JoinRelType type,
      boolean semiJoinDone) {
    return new BroadcastJoinRel(getCluster(), traits, left, right, condition, type);
  }

  @Override
  public PTransform<PCollectionList<Row>, PCollection<Row>> buildPTransform() {
    return new BroadcastJoin(JoinSpec.of(this));
  }
}
