// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.plan;

import dev.anemone.beam.sql.rel.BroadcastJoinRel;
import dev.anemone.beam.sql.rel.JoinRule;
import java.util.List;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Join;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.RelFactories;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.rules.JoinCommuteRule;

/**
 * Chooses for each join whether its right side is broadcast, and swaps the sides where the left one
 * is the one to broadcast.
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
    double right = cost(join, join.getRight());
    double left = cost(join, join.getLeft());
    boolean rightCan = BroadcastJoinRel.is(join.getJoinType()) && right <= broadcastBytes;
    boolean leftCan =
        join.getJoinType().projectsRight()
            && BroadcastJoinRel.is(join.getJoinType().swap())
            && left <= broadcastBytes;
    if (leftCan && (!rightCan || left < right)) {
      return swapped(join);
    }
    return rightCan ? broadcast(join) : join;
  }

  /**
   * Estimated bytes, but what is without a key and has more rows than one may compare is too much.
   */
  private double cost(Join join, RelNode side) {
    boolean hasKey = !join.analyzeCondition().leftKeys.isEmpty();
    if (hasKey) {
      return cardinality.bytes(side);
    }
    return cardinality.rows(side) <= MOST_ROWS_WITHOUT_KEY ? 0 : Double.POSITIVE_INFINITY;
  }

  private static RelNode broadcast(LogicalJoin join) {
    return join.withHints(List.of(JoinRule.BROADCAST));
  }

  /** The join with its sides swapped, below a projection that puts its columns back in order. */
  private static RelNode swapped(LogicalJoin join) {
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
