// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.plan;

import dev.anemone.beam.sql.rel.BroadcastJoinRel;
import dev.anemone.beam.sql.rel.JoinRule;
import dev.anemone.beam.sql.rel.SideBytes;
import java.util.List;
import java.util.OptionalLong;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Join;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.RelFactories;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.hint.RelHint;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.rules.JoinCommuteRule;

/**
 * Chooses for each join whether its right side is broadcast, and swaps the sides where the left one
 * is the one to broadcast. Each join carries the estimated {@link SideBytes}.
 */
final class JoinChoice extends RelHomogeneousShuttle {

  /** What a side without a key may have at most: it is read once for every row of the other. */
  private static final double MOST_ROWS_WITHOUT_KEY = 1000;

  private final Cardinality cardinality = new Cardinality();
  private final double broadcastBytes;

  JoinChoice(double broadcastBytes) {
    this.broadcastBytes = broadcastBytes;
  }

  @Override
  public RelNode visit(RelNode node) {
    RelNode withInputs = super.visit(node);
    return withInputs instanceof LogicalJoin join ? choose(join) : withInputs;
  }

  private RelNode choose(LogicalJoin join) {
    boolean hasKey = !join.analyzeCondition().leftKeys.isEmpty();
    double right = hasKey ? cardinality.bytes(join.getRight()) : rows(join, join.getRight());
    double left = hasKey ? cardinality.bytes(join.getLeft()) : rows(join, join.getLeft());
    double most = hasKey ? broadcastBytes : Double.MAX_VALUE;
    boolean rightCan = BroadcastJoinRel.is(join.getJoinType()) && right <= most;
    boolean leftCan =
        join.getJoinType().projectsRight()
            && BroadcastJoinRel.is(join.getJoinType().swap())
            && left <= most;
    if (leftCan && (!rightCan || left < right)) {
      return swapped(join);
    }
    return rightCan ? broadcast(join) : join.withHints(List.of(sideBytes(join)));
  }

  /**
   * What counts of a side that is joined without a key: the fewer rows, the better. Two sides that
   * are known to be large meet in one task. Of sides that are not known one is broadcast, as there
   * is nothing to shuffle them by.
   */
  private double rows(Join join, RelNode side) {
    double rows = cardinality.rows(side);
    if (rows <= MOST_ROWS_WITHOUT_KEY) {
      return 0;
    }
    return Cardinality.isUnknown(join) ? rows : Double.POSITIVE_INFINITY;
  }

  private RelNode broadcast(LogicalJoin join) {
    return join.withHints(List.of(JoinRule.BROADCAST, sideBytes(join)));
  }

  private RelHint sideBytes(Join join) {
    return new SideBytes(bytes(join.getLeft()), bytes(join.getRight())).hint();
  }

  private OptionalLong bytes(RelNode side) {
    return Cardinality.isUnknown(side)
        ? OptionalLong.empty()
        : OptionalLong.of((long) Math.ceil(cardinality.bytes(side)));
  }

  /** The join with its sides swapped, below a projection that puts its columns back in order. */
  private RelNode swapped(LogicalJoin join) {
    RelNode project =
        JoinCommuteRule.swap(
            join, true, RelFactories.LOGICAL_BUILDER.create(join.getCluster(), null));
    if (project == null) {
      return join;
    }
    RelNode turned = project.getInput(0);
    return project.copy(project.getTraitSet(), List.of(broadcast((LogicalJoin) turned)));
  }
}
