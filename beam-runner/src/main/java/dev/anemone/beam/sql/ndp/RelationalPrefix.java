// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.ndp;

import dev.anemone.ir.relational.InvalidPlanException;
import dev.anemone.ir.relational.RelationalPlan;
import java.util.List;
import java.util.Optional;
import org.apache.beam.sdk.extensions.sql.impl.rel.BeamIOSourceRel;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptUtil;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Aggregate;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Calc;

/**
 * Moves what can be converted of a query's first operators into the reads of tables of {@code TYPE
 * ndp}: a Calc on a table whole, or its conditions and columns as far as they go, and of an
 * aggregation on a whole one the partial half.
 *
 * <pre>
 * before:  Aggregate(Calc(scan))
 * after:   Aggregate(scan; filter; project; aggregate partial)
 * </pre>
 */
public final class RelationalPrefix extends RelHomogeneousShuttle {

  @Override
  public RelNode visit(RelNode node) {
    RelNode visited = super.visit(node);
    try {
      return pushed(visited).orElse(visited);
    } catch (InvalidPlanException beyondPlans) {
      return visited;
    }
  }

  /** A query that is a table and nothing else as a read of it. */
  public static RelNode ofTable(RelNode node) {
    return scan(node).isPresent() ? read(node).orElseThrow() : node;
  }

  private static Optional<RelNode> pushed(RelNode node) {
    if (node instanceof Calc calc) {
      return scan(calc.getInput()).map(table -> new CalcPrefix(calc, table).pushed());
    }
    if (node instanceof Aggregate aggregate) {
      return read(aggregate.getInput())
          .flatMap(read -> new AggregatePrefix(aggregate, read).pushed())
          .filter(
              better -> RelOptUtil.areRowTypesEqual(better.getRowType(), node.getRowType(), false));
    }
    return Optional.empty();
  }

  private static Optional<NdpTable> scan(RelNode node) {
    return node instanceof BeamIOSourceRel source
            && source.getBeamSqlTable() instanceof NdpTable table
        ? Optional.of(table)
        : Optional.empty();
  }

  /** A table, whole or with operators of its own. */
  private static Optional<NdpRel> read(RelNode node) {
    if (node instanceof NdpRel read) {
      return Optional.of(read);
    }
    return scan(node)
        .map(
            table ->
                new NdpRel(
                    node.getCluster(),
                    table,
                    new RelationalPlan(table.columns(), List.of()),
                    node.getRowType(),
                    node.estimateRowCount(node.getCluster().getMetadataQuery())));
  }
}
