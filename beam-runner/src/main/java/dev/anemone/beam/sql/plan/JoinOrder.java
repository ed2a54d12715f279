// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.plan;

import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.RelFactories;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.tools.RelBuilder;

/**
 * Puts the joins of a query into the order that makes the smallest intermediate results, with
 * {@link JoinSearch}, and its conditions to where they first can be evaluated.
 */
final class JoinOrder extends RelHomogeneousShuttle {

  private final double broadcastBytes;

  JoinOrder(double broadcastBytes) {
    this.broadcastBytes = broadcastBytes;
  }

  @Override
  public RelNode visit(RelNode node) {
    if (!JoinGraph.isTree(node)) {
      return super.visit(node);
    }
    RelBuilder builder = RelFactories.LOGICAL_BUILDER.create(node.getCluster(), null);
    JoinGraph graph = JoinGraph.of(node, factor -> factor.accept(this));
    JoinConditions conditions = JoinConditions.of(graph, builder.getRexBuilder());
    JoinSizes sizes = new JoinSizes(graph, conditions, new Cardinality(), builder);
    JoinSearch.Tree best = new JoinSearch(sizes, broadcastBytes).best();
    return new JoinBuilder(graph, conditions, sizes, builder)
        .build(best, node.getRowType().getFieldNames());
  }
}
