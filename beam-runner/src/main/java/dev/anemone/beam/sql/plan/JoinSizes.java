// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.plan;

import dev.anemone.beam.sql.rel.Selectivity;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.JoinRelType;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexInputRef;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexShuttle;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.tools.RelBuilder;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.util.ImmutableBitSet;

/** Estimated sizes of the factors of a {@link JoinGraph} and of their joins. */
final class JoinSizes {

  private static final double SEMI = 0.5;

  private final JoinGraph graph;
  private final JoinConditions conditions;
  private final List<RelNode> filtered = new ArrayList<>();
  private final double[] rows;
  private final double[] unfilteredRows;

  /** For each class of equal columns, the factors that have one, and how many values there are. */
  private final List<ImmutableBitSet> classFactors = new ArrayList<>();

  private final List<Double> classValues = new ArrayList<>();

  JoinSizes(
      JoinGraph graph, JoinConditions conditions, Cardinality cardinality, RelBuilder builder) {
    this.graph = graph;
    this.conditions = conditions;
    int count = graph.factors().size();
    rows = new double[count];
    unfilteredRows = new double[count];
    for (int i = 0; i < count; i++) {
      JoinGraph.Factor factor = graph.factors().get(i);
      filtered.add(filtered(i, builder));
      rows[i] = cardinality.rows(filtered.get(i));
      unfilteredRows[i] = cardinality.unfilteredRows(factor.node());
    }
    for (List<Integer> columns : conditions.classes()) {
      ImmutableBitSet.Builder factors = ImmutableBitSet.builder();
      double values = Double.POSITIVE_INFINITY;
      for (int column : columns) {
        int factor = factorOf(column);
        factors.set(factor);
        JoinGraph.Factor f = graph.factors().get(factor);
        values = Math.min(values, cardinality.values(f.node(), column - f.firstColumn()));
      }
      classFactors.add(factors.build());
      classValues.add(values);
    }
  }

  /** A factor below the conditions that are on it alone. */
  RelNode filtered(int factor) {
    return filtered.get(factor);
  }

  private RelNode filtered(int index, RelBuilder builder) {
    JoinGraph.Factor factor = graph.factors().get(index);
    builder.push(factor.node());
    List<RexNode> own = new ArrayList<>();
    for (JoinConditions.Condition condition : conditions.others()) {
      if (condition.factors().equals(ImmutableBitSet.of(index))) {
        own.add(local(condition.expression(), factor));
      }
    }
    for (List<Integer> columns : conditions.classes()) {
      List<Integer> inside = columns.stream().filter(c -> factorOf(c) == index).toList();
      for (int i = 1; i < inside.size(); i++) {
        own.add(
            builder.equals(
                builder.field(inside.get(0) - factor.firstColumn()),
                builder.field(inside.get(i) - factor.firstColumn())));
      }
    }
    return builder.filter(own).build();
  }

  private static RexNode local(RexNode expression, JoinGraph.Factor factor) {
    return expression.accept(
        new RexShuttle() {
          @Override
          public RexNode visitInputRef(RexInputRef input) {
            return new RexInputRef(input.getIndex() - factor.firstColumn(), input.getType());
          }
        });
  }

  /** The factor that a column belongs to. */
  int factorOf(int column) {
    for (int i = 0; i < graph.factors().size(); i++) {
      if (column < graph.factors().get(i).endColumn()) {
        return i;
      }
    }
    throw new IllegalArgumentException("There is no column " + column);
  }

  int factors() {
    return rows.length;
  }

  double rows(int factor) {
    return rows[factor];
  }

  JoinRelType type(int factor) {
    return graph.factors().get(factor).type();
  }

  /** What must be joined before a factor that is semi-joined or anti-joined. */
  ImmutableBitSet needs(int factor) {
    JoinGraph.Factor semi = graph.factors().get(factor);
    return semi.isInner() ? ImmutableBitSet.of() : graph.factorsOf(semi.condition()).clear(factor);
  }

  /** Whether a condition connects two sets. */
  boolean areConnected(ImmutableBitSet left, ImmutableBitSet right) {
    for (ImmutableBitSet factors : classFactors) {
      if (factors.intersects(left) && factors.intersects(right)) {
        return true;
      }
    }
    for (JoinConditions.Condition condition : conditions.others()) {
      if (appliesFirst(condition.factors(), left, right)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a condition on these factors can be evaluated on the join of two sets, not before. */
  static boolean appliesFirst(
      ImmutableBitSet factors, ImmutableBitSet left, ImmutableBitSet right) {
    if (left.contains(factors) || right.contains(factors)) {
      return false;
    }
    for (int factor : factors) {
      if (!left.get(factor) && !right.get(factor)) {
        return false;
      }
    }
    return true;
  }

  /** The rows of a join of two sets that have this many. */
  double joined(ImmutableBitSet left, double leftRows, ImmutableBitSet right, double rightRows) {
    if (right.cardinality() == 1 && type(right.nth(0)) != JoinRelType.INNER) {
      return leftRows * SEMI;
    }
    double values = 1;
    double most = 1;
    for (int i = 0; i < classFactors.size(); i++) {
      ImmutableBitSet factors = classFactors.get(i);
      if (factors.intersects(left) && factors.intersects(right)) {
        values *= classValues.get(i);
        most = Math.max(most, Math.min(unfiltered(factors, left), unfiltered(factors, right)));
      }
    }
    double joined = leftRows * rightRows / Math.max(1, Math.min(values, most));
    for (JoinConditions.Condition condition : conditions.others()) {
      if (appliesFirst(condition.factors(), left, right)) {
        joined *= Selectivity.of(condition.expression());
      }
    }
    return Math.max(1, joined);
  }

  /** The rows of the largest factor of both sets: so many combinations of keys it can have. */
  private double unfiltered(ImmutableBitSet factors, ImmutableBitSet side) {
    double most = 1;
    for (int factor : factors) {
      if (side.get(factor)) {
        most = Math.max(most, unfilteredRows[factor]);
      }
    }
    return most;
  }
}
