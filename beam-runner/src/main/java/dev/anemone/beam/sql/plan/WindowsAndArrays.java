// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.plan;

import dev.anemone.beam.sql.columnar.DecimalSpreads;
import dev.anemone.beam.sql.unnest.Unnesting;
import dev.anemone.beam.sql.validate.QuantileFunction;
import dev.anemone.beam.sql.window.GroupWindows;
import dev.anemone.beam.sql.window.TableWindows;
import java.util.Optional;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Aggregate;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Correlate;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.TableFunctionScan;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Uncollect;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexBuilder;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexOver;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexShuttle;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexSubQuery;

/**
 * Replaces windows of time, UNNEST, quantiles and some variances by operators of our own, which are
 * {@link dev.anemone.beam.sql.rel.UnaryRel}s. A sub-query that is part of an expression is one for
 * all rows, so its rows leave their windows: its maximum is not one for each window. What it cannot
 * replace is refused later, by {@link PlanCheck}.
 */
final class WindowsAndArrays extends RelHomogeneousShuttle {

  private final boolean isSubQuery;

  private final RexShuttle subQueries =
      new RexShuttle() {
        @Override
        public RexNode visitSubQuery(RexSubQuery subQuery) {
          RexSubQuery visited = (RexSubQuery) super.visitSubQuery(subQuery);
          return visited.clone(visited.rel.accept(new WindowsAndArrays(true)));
        }
      };

  WindowsAndArrays() {
    this(false);
  }

  private WindowsAndArrays(boolean isSubQuery) {
    this.isSubQuery = isSubQuery;
  }

  @Override
  public RelNode visit(RelNode node) {
    RelNode visited =
        super.visit(node).accept(subQueries).accept(functions(node.getCluster().getRexBuilder()));
    return replaced(visited).orElse(visited);
  }

  private static RexShuttle functions(RexBuilder rexBuilder) {
    return new RexShuttle() {
      @Override
      public RexNode visitOver(RexOver over) {
        return DecimalSpreads.said(over, rexBuilder);
      }
    };
  }

  private Optional<RelNode> replaced(RelNode node) {
    if (node instanceof Aggregate aggregate) {
      Aggregate said = QuantileFunction.said(aggregate);
      return GroupWindows.of(said, isSubQuery).or(() -> Optional.of(DecimalSpreads.said(said)));
    }
    if (node instanceof TableFunctionScan scan) {
      return TableWindows.of(scan, isSubQuery);
    }
    if (node instanceof Correlate correlate) {
      return Unnesting.of(correlate);
    }
    return node instanceof Uncollect uncollect ? Unnesting.of(uncollect) : Optional.empty();
  }
}
